// A complete adapter in one file, for a JDK 17 or later, without any dependency:
//
//     rulings run --engine 'cmd:java examples/java/Adapter.java'
//
// First the engine, a toy called Dusk: lands, creatures that do nothing, and day and night. Then
// the adapter that puts it behind the protocol (harness/protocol/README.md), and last as much JSON
// as it needs. For an engine of your own, keep the last two and change what they call.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

public final class Adapter {

    // -- the engine -------------------------------------------------------------------------------

    record Face(String name, Integer power, Integer toughness) {}

    record Print(boolean land, List<Face> faces) {}

    static final Map<String, Print> CARDS = new LinkedHashMap<>();

    static {
        CARDS.put("Forest", new Print(true, List.of(new Face("Forest", null, null))));
        CARDS.put("Plains", new Print(true, List.of(new Face("Plains", null, null))));
        CARDS.put("Elite Vanguard", new Print(false, List.of(new Face("Elite Vanguard", 2, 1))));
        CARDS.put("Grizzly Bears", new Print(false, List.of(new Face("Grizzly Bears", 2, 2))));
        CARDS.put("Memnite", new Print(false, List.of(new Face("Memnite", 1, 1))));
        CARDS.put("Watchwolf", new Print(false, List.of(new Face("Watchwolf", 3, 3))));
        // Daybound in front, nightbound behind.
        Face ruffian = new Face("Tavern Ruffian", 2, 5);
        CARDS.put("Tavern Ruffian",
            new Print(false, List.of(ruffian, new Face("Tavern Smasher", 6, 5))));
    }

    /** Somebody tried what the rules forbid. */
    static final class Illegal extends RuntimeException {
        Illegal(String reason) {
            super(reason);
        }
    }

    static final class Card {
        final Print print;
        final int owner;
        String zone;
        boolean back;
        boolean tapped;

        Card(Print print, int owner, String zone) {
            this.print = print;
            this.owner = owner;
            this.zone = zone;
        }

        Face face() {
            return print.faces().get(back ? 1 : 0);
        }

        boolean twoFaced() {
            return print.faces().size() == 2;
        }
    }

    /** One thing that happened: to a card, a player, or the sky. */
    record Entry(String word, Card card, int player, String what) {}

    /** A game of two players, called 0 and 1. */
    static final class Dusk {
        static final List<String> STEPS = List.of("untap", "upkeep", "draw", "precombat main",
            "beginning of combat", "declare attackers", "end of combat", "postcombat main", "end",
            "cleanup");
        final List<Card> cards = new ArrayList<>(); // the newest in its zone last
        final List<Card> stack = new ArrayList<>();
        final List<Entry> log = new ArrayList<>();
        final int[] life = {20, 20};
        final int[] spells = {0, 0};
        final boolean[] lost = {false, false};
        int active;
        String step;
        int turn;
        String light; // day, night, or null for neither
        int spellsBefore; // cast in the last turn by its active player
        boolean landPlayed;

        Dusk(int active, String step, int turn, String light) {
            this.active = active;
            this.step = step;
            this.turn = turn;
            this.light = light;
        }

        List<Card> pile(int owner, String zone) {
            return cards.stream().filter(c -> c.owner == owner && c.zone.equals(zone)).toList();
        }

        void move(Card card, String zone) {
            cards.remove(card);
            cards.add(card);
            card.zone = zone;
        }

        void checkTiming(int player, Card card) {
            if (card.owner != player || !card.zone.equals("hand")) {
                throw new Illegal("it is not in that player's hand");
            }
            if (player != active || !step.endsWith("main") || !stack.isEmpty()) {
                throw new Illegal("only in one's own main phase, with an empty stack");
            }
        }

        void cast(int player, Card card) {
            checkTiming(player, card);
            if (card.print.land()) {
                throw new Illegal("a land is not cast");
            }
            move(card, "stack");
            stack.add(card);
            spells[player]++;
            log.add(new Entry("cast", card, player, null));
        }

        void playLand(int player, Card card) {
            checkTiming(player, card);
            if (!card.print.land() || landPlayed) {
                throw new Illegal("no land, or the second one this turn");
            }
            landPlayed = true;
            enter(card);
        }

        void resolveTop() {
            if (stack.isEmpty()) {
                throw new Illegal("the stack is empty");
            }
            enter(stack.remove(stack.size() - 1));
        }

        void enter(Card card) {
            card.back = card.twoFaced() && "night".equals(light);
            move(card, "battlefield");
            log.add(new Entry("entered", card, card.owner, card.back ? "back" : "front"));
            lookAtTheSky();
        }

        /** The first daybound permanent makes it day, nightbound alone makes it night. */
        void lookAtTheSky() {
            List<Card> bound = cards.stream()
                .filter(card -> card.zone.equals("battlefield") && card.twoFaced()).toList();
            if (!bound.isEmpty() && light == null) {
                become(bound.stream().allMatch(card -> card.back) ? "night" : "day");
            }
            for (Card card : bound) {
                if (card.back != "night".equals(light)) {
                    card.back = !card.back;
                    log.add(new Entry("transformed", card, card.owner, null));
                }
            }
        }

        void become(String other) {
            if (!other.equals(light)) {
                light = other;
                log.add(new Entry("became", null, 0, other));
                lookAtTheSky();
            }
        }

        /** Everybody passes with an empty stack: the next step begins. */
        void nextStep() {
            int place = (STEPS.indexOf(step) + 1) % STEPS.size();
            step = STEPS.get(place);
            if (place == 0) {
                spellsBefore = spells[active];
                spells[0] = spells[1] = 0;
                turn++;
                active = 1 - active;
                landPlayed = false;
                log.add(new Entry("turn", null, active, null));
            }
            log.add(new Entry("step", null, active, step));
            switch (step) {
                case "untap" -> untap();
                case "draw" -> draw();
                case "cleanup" -> pile(active, "hand").stream().skip(7).toList()
                    .forEach(card -> move(card, "graveyard"));
                default -> { }
            }
        }

        void untap() {
            if ("day".equals(light) && spellsBefore == 0) {
                become("night");
            } else if ("night".equals(light) && spellsBefore >= 2) {
                become("day");
            }
            for (Card card : pile(active, "battlefield")) {
                if (card.tapped) {
                    card.tapped = false;
                    log.add(new Entry("untapped", card, active, null));
                }
            }
        }

        void draw() {
            List<Card> library = pile(active, "library");
            if (library.isEmpty()) {
                lost[active] = true;
                return;
            }
            move(library.get(0), "hand");
            log.add(new Entry("drew", null, active, null));
        }
    }

    // -- the adapter ------------------------------------------------------------------------------

    static final List<String> PLAYERS = List.of("alice", "bob");

    static final class Refused extends RuntimeException {
        Refused(String reason) {
            super(reason);
        }
    }

    static final class Unsupported extends RuntimeException {
        final String what;
        final String name;

        Unsupported(String what, String name, String reason) {
            super(reason);
            this.what = what;
            this.name = name;
        }
    }

    /** A game, and what the protocol wants to know that the engine does not: which id is which. */
    static final class Table {
        Dusk game;
        final Map<String, Card> named = new LinkedHashMap<>();
        int seen; // how much of the log has been looked at

        Card find(String id) {
            if (!named.containsKey(id)) {
                throw new IllegalArgumentException("there is no object " + id);
            }
            return named.get(id);
        }

        String idOf(Card card) {
            return named.entrySet().stream().filter(entry -> entry.getValue() == card)
                .map(Map.Entry::getKey).findFirst().orElse(card.face().name());
        }
    }

    static Map<String, Object> hello(Map<String, Object> request) {
        if (!list(request.get("protocol")).contains(1L)) {
            throw new IllegalArgumentException("this adapter speaks protocol 1");
        }
        Map<String, Object> engine = object("name", "Dusk in Java", "version", "1.0",
            "language", "Java", "homepage", null, "license", "MIT");
        return object("type", "hello", "protocol", 1, "engine", engine,
            "capabilities", List.of("events"), "cards", List.copyOf(CARDS.keySet()));
    }

    static Map<String, Object> run(Object id, Map<String, Object> request) {
        List<Object> observations = new ArrayList<>();
        Map<String, Object> given = map(request.get("given"));
        List<Object> steps = list(request.get("steps"));
        int number = 0;
        try {
            Table table = setUp(given);
            for (Object each : steps) {
                number++;
                Map<String, Object> step = map(each);
                if (step.get("do").equals("look")) {
                    observations.add(observe(table, step));
                } else {
                    act(table, step);
                }
            }
            return object("type", "observations", "id", id, "observations", observations);
        } catch (Refused problem) {
            return object("type", "refused", "id", id, "step", number,
                "reason", problem.getMessage(), "observations", observations);
        } catch (Unsupported problem) {
            return object("type", "unsupported", "id", id, "what", problem.what,
                "name", problem.name, "reason", problem.getMessage());
        }
    }

    static Table setUp(Map<String, Object> given) {
        if (list(given.get("players")).size() > 2 || given.get("teams") != null) {
            throw new Unsupported("given", "players", "Dusk is for two players");
        }
        Map<String, Object> turn = map(given.get("turn"));
        String light = (String) given.get("designation");
        Table table = new Table();
        table.game = new Dusk(PLAYERS.indexOf(turn.get("active")), (String) turn.get("step"),
            (int) (long) turn.get("number"), light.equals("neither") ? null : light);
        for (int owner = 0; owner < 2; owner++) {
            Map<String, Object> has = map(given.get(PLAYERS.get(owner)));
            table.game.life[owner] = (int) (long) has.get("life");
            if (has.get("mana") != null) {
                throw new Unsupported("given", "mana", "Dusk has no costs");
            }
            for (String zone : List.of("library", "hand", "graveyard", "exile", "battlefield")) {
                for (Object each : list(has.get(zone))) {
                    Map<String, Object> item = map(each);
                    Print print = CARDS.get(item.get("card"));
                    if (print == null) {
                        String name = (String) item.get("card");
                        throw new Unsupported("card", name, "Dusk does not have it");
                    }
                    Card card = new Card(print, owner, zone);
                    if (zone.equals("battlefield")) {
                        setPermanent(card, item);
                    }
                    table.named.put((String) item.get("id"), card);
                    table.game.cards.add(card);
                }
            }
        }
        table.game.lookAtTheSky();
        table.game.log.clear();
        return table;
    }

    static void setPermanent(Card card, Map<String, Object> item) {
        Map<String, Object> plain = object("damage", 0L, "attached to", null,
            "owner", PLAYERS.get(card.owner), "phased out", false, "face down", false,
            "copy of", null, "token", false, "counters", Map.of());
        plain.forEach((key, value) -> {
            if (!Objects.equals(item.get(key), value)) {
                throw new Unsupported("given", key, "Dusk has plain permanents only");
            }
        });
        card.tapped = (boolean) item.get("tapped");
        card.back = item.get("face").equals("back");
    }

    static void act(Table table, Map<String, Object> step) {
        Dusk game = table.game;
        String word = (String) step.get("do");
        try {
            switch (word) {
                case "cast" -> game.cast(PLAYERS.indexOf(step.get("player")),
                    table.find((String) step.get("object")));
                case "play" -> game.playLand(PLAYERS.indexOf(step.get("player")),
                    table.find((String) step.get("object")));
                case "resolve" -> {
                    game.resolveTop();
                    while (step.get("what").equals("all") && !game.stack.isEmpty()) {
                        game.resolveTop();
                    }
                }
                case "advance" -> advance(game, (String) step.get("to"), step.get("of"));
                default -> throw new Unsupported("step", word,
                    "Dusk has neither combat nor abilities");
            }
        } catch (Illegal problem) {
            throw new Refused(problem.getMessage());
        }
    }

    static void advance(Dusk game, String to, Object of) {
        for (int tries = 0; tries < 100; tries++) {
            while (!game.stack.isEmpty()) {
                game.resolveTop();
            }
            game.nextStep();
            if (game.step.equals(to) && (of == null || of.equals(PLAYERS.get(game.active)))) {
                return;
            }
        }
        throw new Unsupported("step", "advance", "Dusk has no step " + to);
    }

    static Map<String, Object> observe(Table table, Map<String, Object> look) {
        Dusk game = table.game;
        Map<String, Object> seen = new LinkedHashMap<>();
        if (look.containsKey("designation")) {
            seen.put("designation", game.light == null ? "neither" : game.light);
        }
        if (look.containsKey("turn")) {
            Map<String, Object> turn = object("active", PLAYERS.get(game.active),
                "step", game.step, "number", game.turn);
            seen.put("turn", pick(turn, look.get("turn")));
        }
        if (look.containsKey("objects")) {
            Map<String, Object> objects = new LinkedHashMap<>();
            map(look.get("objects")).forEach(
                (id, keys) -> objects.put(id, pick(permanent(table.find(id)), keys)));
            seen.put("objects", objects);
        }
        if (look.containsKey("players")) {
            Map<String, Object> players = new LinkedHashMap<>();
            map(look.get("players")).forEach(
                (name, keys) -> players.put(name, pick(player(game, PLAYERS.indexOf(name)), keys)));
            seen.put("players", players);
        }
        if (look.containsKey("stack")) {
            List<Card> topFirst = new ArrayList<>(game.stack);
            Collections.reverse(topFirst);
            seen.put("stack", topFirst.stream()
                .map(card -> pick(spell(table, card), look.get("stack"))).toList());
        }
        if (look.containsKey("events")) {
            List<Object> words = list(look.get("events"));
            seen.put("events", game.log.subList(table.seen, game.log.size()).stream()
                .map(entry -> event(table, entry))
                .filter(event -> words.stream().anyMatch(event::containsKey)).toList());
        }
        table.seen = game.log.size();
        return seen;
    }

    /** Takes exactly the keys asked for; what is not known is said to be unsupported. */
    static Map<String, Object> pick(Map<String, Object> all, Object keys) {
        Map<String, Object> picked = new LinkedHashMap<>();
        for (Object key : list(keys)) {
            if (!all.containsKey(key)) {
                throw new Unsupported("look", (String) key, "Dusk does not know it");
            }
            picked.put((String) key, all.get(key));
        }
        return picked;
    }

    static Map<String, Object> permanent(Card card) {
        boolean there = card.zone.equals("battlefield");
        List<String> bound = card.twoFaced()
            ? List.of(card.back ? "nightbound" : "daybound") : List.of();
        String owner = PLAYERS.get(card.owner);
        return object("zone", card.zone, "face", card.back ? "back" : "front",
            "name", card.face().name(), "power", card.face().power(),
            "toughness", card.face().toughness(), "keywords", bound,
            "tapped", there ? card.tapped : null, "controller", there ? owner : null,
            "owner", owner);
    }

    static Map<String, Object> player(Dusk game, int number) {
        List<String> permanents = game.pile(number, "battlefield").stream()
            .map(card -> card.face().name()).sorted().collect(Collectors.toList());
        return object("life", game.life[number], "lost", game.lost[number], "poison", 0,
            "hexproof", false, "spells cast", game.spells[number],
            "hand", game.pile(number, "hand").size(),
            "library", game.pile(number, "library").size(),
            "graveyard", game.pile(number, "graveyard").size(),
            "exile", game.pile(number, "exile").size(), "permanents", permanents);
    }

    static Map<String, Object> spell(Table table, Card card) {
        return object("object", table.idOf(card), "ability of", null, "face", "front",
            "name", card.print.faces().get(0).name(), "controller", PLAYERS.get(card.owner));
    }

    static Map<String, Object> event(Table table, Entry entry) {
        String who = PLAYERS.get(entry.player());
        return switch (entry.word()) {
            case "became" -> object("became", entry.what());
            case "turn", "drew" -> object(entry.word(), who);
            case "step" -> object("step", entry.what(), "active", who);
            case "cast" -> object("cast", table.idOf(entry.card()), "player", who);
            case "entered" -> object("entered", table.idOf(entry.card()), "face", entry.what(),
                "controller", who, "tapped", false);
            default -> object(entry.word(), table.idOf(entry.card()));
        };
    }

    static Map<String, Object> answer(String line) {
        Object id = null;
        try {
            Map<String, Object> request = map(new Json(line).whole());
            id = request.get("id") instanceof Long number ? number : null;
            String type = String.valueOf(request.get("type"));
            if (type.equals("run") && id == null) {
                throw new IllegalArgumentException("run needs an id");
            }
            return switch (type) {
                case "hello" -> hello(request);
                case "run" -> run(id, request);
                case "bye" -> object("type", "bye");
                default -> throw new IllegalArgumentException("no request has the type " + type);
            };
        } catch (RuntimeException | StackOverflowError problem) {
            problem.printStackTrace(); // standard error is the log
            return object("type", "error", "id", id, "reason", String.valueOf(problem));
        }
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Map<String, Object> reply = answer(line);
            out.print(Json.write(reply) + "\n");
            out.flush();
            if (reply.get("type").equals("bye")) {
                break;
            }
        }
    }

    // -- JSON -------------------------------------------------------------------------------------

    /** Makes an object of keys and values in turns. */
    static Map<String, Object> object(Object... parts) {
        Map<String, Object> made = new LinkedHashMap<>();
        for (int place = 0; place < parts.length; place += 2) {
            made.put((String) parts[place], parts[place + 1]);
        }
        return made;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object value) {
        if (value instanceof Map) {
            return (Map<String, Object>) value;
        }
        throw new IllegalArgumentException("an object was expected, not " + value);
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Object value) {
        if (value instanceof List) {
            return (List<Object>) value;
        }
        throw new IllegalArgumentException("a list was expected, not " + value);
    }

    /** Reads one JSON text into maps, lists, strings, longs, doubles, booleans and nulls. */
    static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        Object whole() {
            Object value = value();
            if (next() != 0) {
                throw wrong();
            }
            return value;
        }

        private Object value() {
            switch (next()) {
                case '{': {
                    Map<String, Object> map = new HashMap<>();
                    for (at++; next() != '}';) {
                        if (!map.isEmpty()) {
                            expect(',');
                        }
                        next();
                        String key = string();
                        expect(':');
                        map.put(key, value());
                    }
                    at++;
                    return map;
                }
                case '[': {
                    List<Object> list = new ArrayList<>();
                    for (at++; next() != ']';) {
                        if (!list.isEmpty()) {
                            expect(',');
                        }
                        list.add(value());
                    }
                    at++;
                    return list;
                }
                case '"':
                    return string();
                default:
                    return word();
            }
        }

        private Object word() {
            int start = at;
            while (at < text.length() && "+-.".indexOf(text.charAt(at)) >= 0
                || at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
                at++;
            }
            String word = text.substring(start, at);
            switch (word) {
                case "true":
                    return true;
                case "false":
                    return false;
                case "null":
                    return null;
                default:
                    if (word.matches("-?\\d{1,18}")) {
                        return Long.parseLong(word);
                    }
                    if (word.matches("-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?")) {
                        return Double.parseDouble(word);
                    }
                    throw wrong();
            }
        }

        private String string() {
            expect('"');
            StringBuilder made = new StringBuilder();
            while (at < text.length() && text.charAt(at) != '"') {
                char sign = text.charAt(at++);
                if (sign == '\\' && at < text.length()) {
                    sign = text.charAt(at++);
                    if (sign == 'u' && at + 4 <= text.length()) {
                        sign = (char) Integer.parseInt(text.substring(at, at + 4), 16);
                        at += 4;
                    } else if ("nrtbf".indexOf(sign) >= 0) {
                        sign = "\n\r\t\b\f".charAt("nrtbf".indexOf(sign));
                    }
                }
                made.append(sign);
            }
            expect('"');
            return made.toString();
        }

        /** Skips white space and shows the next sign; 0 at the end. */
        private char next() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            return at < text.length() ? text.charAt(at) : 0;
        }

        private void expect(char sign) {
            if (next() != sign) {
                throw wrong();
            }
            at++;
        }

        private IllegalArgumentException wrong() {
            return new IllegalArgumentException("not JSON at character " + at);
        }

        static String write(Object value) {
            if (value instanceof Map<?, ?> map) {
                return map.entrySet().stream()
                    .map(entry -> quote((String) entry.getKey()) + ":" + write(entry.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
            }
            if (value instanceof List<?> list) {
                return list.stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
            }
            return value instanceof String text ? quote(text) : String.valueOf(value);
        }

        private static String quote(String text) {
            StringBuilder made = new StringBuilder("\"");
            for (char sign : text.toCharArray()) {
                if (sign == '"' || sign == '\\') {
                    made.append('\\').append(sign);
                } else if (sign < ' ' || Character.isSurrogate(sign)) {
                    made.append(String.format("\\u%04x", (int) sign));
                } else {
                    made.append(sign);
                }
            }
            return made.append('"').toString();
        }
    }
}
