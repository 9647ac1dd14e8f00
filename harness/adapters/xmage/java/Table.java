import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import mage.Mana;
import mage.abilities.Ability;
import mage.abilities.common.SimpleStaticAbility;
import mage.abilities.effects.ContinuousEffect;
import mage.abilities.effects.common.InfoEffect;
import mage.cards.Card;
import mage.cards.DoubleFacedCard;
import mage.cards.SplitCard;
import mage.cards.TransformingDoubleFacedCard;
import mage.cards.decks.Deck;
import mage.constants.Duration;
import mage.constants.ManaType;
import mage.constants.PhaseStep;
import mage.constants.Zone;
import mage.counters.Counter;
import mage.counters.CounterType;
import mage.game.Game;
import mage.game.GameImpl;
import mage.game.GameOptions;
import mage.game.permanent.Permanent;
import mage.game.permanent.PermanentCard;
import mage.game.permanent.PermanentImpl;
import mage.game.permanent.PermanentToken;
import mage.game.permanent.token.Token;
import mage.players.Player;
import mage.util.functions.CopyTokenFunction;

/**
 * One game. It starts with Plains and nothing else, everybody passes until the active player of the
 * scenario has had a turn already, and then the table is laid as `given` says: so it is nobody's first
 * turn, no spell was cast, and everything is there at the same moment.
 */
final class Table {

    private static final int DRAWS = 12;

    private final CardShelf shelf;
    private final Map<String, Object> given;
    private final Ids ids = new Ids();
    private final Script script;
    private final GameImpl game;
    private final List<String> names;
    private final String active;
    private final PhaseStep step;

    @SuppressWarnings("unchecked")
    Table(CardShelf shelf, Map<String, Object> given, List<Map<String, Object>> steps) {
        this.shelf = shelf;
        this.given = given;
        this.names = (List<String>) given.get("players");
        if (given.get("teams") != null) {
            throw new Outcomes.Unsupported("capability", "teams", "XMage has no shared team turns");
        }
        Map<String, Object> turn = map(given.get("turn"));
        this.active = (String) turn.get("active");
        this.step = Steps.step((String) turn.get("step"));
        this.script = new Script(ids, steps);
        this.game = names.size() == 2 ? new Duel(script) : new Melee(names.size(), script);
        this.game.getState().addWatcher(new EventLog());
    }

    Script script() {
        return script;
    }

    /** Plays the whole scenario. Ends with Finished, or another of the outcomes. */
    void play() throws Exception {
        GameOptions options = new GameOptions();
        options.testMode = true;
        options.skipInitShuffling = true;
        game.setGameOptions(options);
        List<String> seats = new ArrayList<>(names);
        Collections.reverse(seats); // XMage's turns go round against the order in which players join
        for (String name : seats) {
            ScriptedPlayer player = new ScriptedPlayer(name, script);
            ids.addPlayer(name, player.getId());
            Deck deck = new Deck();
            for (int i = 0; i < DRAWS; i++) {
                deck.getCards().add(shelf.make("Plains"));
            }
            game.loadCards(deck.getCards(), player.getId());
            game.addPlayer(player, deck);
        }
        game.getPlayers().values().forEach(player -> player.updateRange(game));
        script.playAt(this, game);
        game.start(ids.player(active));
        script.afterTheGame(game);
    }

    Game game() {
        return game;
    }

    /** Whether this is the second turn of the active player, in the step that the scenario starts in. */
    boolean isTime(Player player, Game game) {
        boolean later = game.getTurnNum() > names.size() + 1;
        if (later) {
            throw new Outcomes.Unsupported("given", "turn", "nobody has priority in such a step of XMage without more");
        }
        return game.getTurnNum() == names.size() + 1 && game.getTurnStepType() == step
                && player.getName().equals(active) && game.getActivePlayerId().equals(player.getId());
    }

    /** Lays the table. Returns the number that the scenario gives to this turn. */
    int lay(Game game) {
        if (!given.get("designation").equals("neither")) {
            game.setDaytime(given.get("designation").equals("day"));
        }
        for (String name : names) {
            Player player = ids.player(name, game);
            Map<String, Object> has = map(given.get(name));
            sweep(player, game);
            player.setLife(((Number) has.get("life")).intValue(), game, null);
            if (has.get("mana") != null) {
                script.setReserve(name, mana((String) has.get("mana")));
            }
            for (Map<String, Object> each : list(has.get("library"))) {
                player.getLibrary().putOnBottom(load(each, name), game);
            }
            for (Map<String, Object> each : list(has.get("hand"))) {
                Card card = load(each, name);
                card.setZone(Zone.HAND, game);
                player.getHand().add(card);
            }
            List<Map<String, Object>> graveyard = new ArrayList<>(list(has.get("graveyard")));
            for (Map<String, Object> each : graveyard) {
                Card card = load(each, name);
                card.setZone(Zone.GRAVEYARD, game);
                player.getGraveyard().add(card);
            }
            for (Map<String, Object> each : list(has.get("exile"))) {
                Card card = load(each, name);
                card.setZone(Zone.EXILED, game);
                game.getExile().add(card);
            }
        }
        layBattlefield(game);
        // nothing of this was an event of the game
        game.getState().handleSimultaneousEvent(game);
        game.getState().clearTriggeredAbilities();
        game.applyEffects();
        return ((Number) map(given.get("turn")).get("number")).intValue();
    }

    private void layBattlefield(Game game) {
        Map<String, Map<String, Object>> all = new LinkedHashMap<>();
        Map<String, String> controllers = new HashMap<>();
        for (String name : names) {
            for (Map<String, Object> each : list(map(given.get(name)).get("battlefield"))) {
                all.put((String) each.get("id"), each);
                controllers.put((String) each.get("id"), name);
            }
        }
        int order = game.getState().getNextPermanentOrderNumber();
        Map<String, Permanent> laid = new HashMap<>();
        all.forEach((id, each) -> laid.put(id, put(id, each, controllers.get(id), order, game)));
        all.forEach((id, each) -> {
            if (each.get("copy of") != null) {
                Permanent original = laid.get((String) each.get("copy of"));
                if (original == null) {
                    throw new Outcomes.Unsupported("given", "copy of", "a copy of what is not on the battlefield");
                }
                Ability source = source(laid.get(id).getId(), laid.get(id).getControllerId());
                game.copyPermanent(Duration.Custom, original, laid.get(id).getId(), source, null);
            }
        });
        all.forEach((id, each) -> attach(laid.get(id), (String) each.get("attached to"), laid, game));
        all.forEach((id, each) -> {
            int damage = ((Number) each.get("damage")).intValue();
            if (damage > 0) {
                Ability source = source(laid.get(id).getId(), laid.get(id).getControllerId());
                laid.get(id).damage(damage, source, game);
            }
            if (Boolean.TRUE.equals(each.get("phased out"))) {
                laid.get(id).phaseOut(game);
            }
        });
    }

    private Permanent put(String id, Map<String, Object> each, String controller, int order, Game game) {
        String owner = (String) each.get("owner");
        UUID controllerId = ids.player(controller);
        boolean back = "back".equals(each.get("face"));
        if (Boolean.TRUE.equals(each.get("face down"))) {
            throw new Outcomes.Unsupported("given", "face down", "XMage does not tell which effect turned it face down");
        }
        PermanentImpl permanent;
        if (Boolean.TRUE.equals(each.get("token"))) {
            permanent = token(id, each, controllerId, back, game);
        } else {
            Card main = load(each, owner);
            Card side = side(main, back);
            side.setZone(Zone.BATTLEFIELD, game);
            permanent = new PermanentCard(side, controllerId, game);
            game.getContinuousEffects().setController(permanent.getId(), controllerId);
            game.addPermanent(permanent, order);
        }
        for (ContinuousEffect effect : game.getState().getContinuousEffects().getLayeredEffects(game)) {
            for (Ability ability : game.getState().getContinuousEffects().getLayeredEffectAbilities(effect)) {
                if (permanent.getId().equals(ability.getSourceId())) {
                    effect.init(ability, game, controllerId);
                }
            }
        }
        if (!Boolean.TRUE.equals(each.get("summoning sick"))) {
            permanent.removeSummoningSickness();
        }
        permanent.setTapped(Boolean.TRUE.equals(each.get("tapped")));
        Map<String, Object> counters = map(each.get("counters"));
        if (counters.isEmpty() && permanent.getStartingLoyalty() > 0) {
            counters = Map.of("loyalty", permanent.getStartingLoyalty());
        }
        counters.forEach((kind, count) -> {
            CounterType type = CounterType.findByName(kind);
            int number = ((Number) count).intValue();
            permanent.getCounters(game).addCounter(
                    type == null ? new Counter(kind, number) : type.createInstance(number));
        });
        return permanent;
    }

    private PermanentImpl token(String id, Map<String, Object> each, UUID controllerId, boolean back, Game game) {
        Card main = shelf.make((String) each.get("card"));
        game.loadCards(new HashSet<>(List.of(main)), controllerId);
        main.setZone(Zone.OUTSIDE, game);
        Token token = CopyTokenFunction.createTokenCopy(side(main, back), game);
        PermanentToken permanent = new PermanentToken(token, controllerId, game);
        game.addPermanent(permanent, game.getState().getNextPermanentOrderNumber());
        game.getState().addCard(permanent);
        for (Ability ability : permanent.getAbilities()) {
            game.getState().addAbility(ability, null, permanent);
        }
        ids.add(id, permanent.getId());
        return permanent;
    }

    private static Card side(Card main, boolean back) {
        if (main instanceof DoubleFacedCard) {
            DoubleFacedCard both = (DoubleFacedCard) main;
            return back ? both.getRightHalfCard() : both.getLeftHalfCard();
        }
        if (back || main instanceof SplitCard) {
            throw new Outcomes.Unsupported("given", main.getName(), "XMage has no such side of this card");
        }
        return main;
    }

    private void attach(Permanent permanent, String to, Map<String, Permanent> laid, Game game) {
        if (to == null) {
            return;
        }
        Ability source = source(permanent.getId(), permanent.getControllerId());
        boolean done = laid.containsKey(to)
                ? laid.get(to).addAttachment(permanent.getId(), source, game)
                : ids.player(to, game).addAttachment(permanent.getId(), source, game);
        if (!done) {
            throw new Outcomes.Unsupported("given", "attached to", "XMage does not attach it to " + to);
        }
    }

    /** Takes away the Plains that brought the game here. */
    private void sweep(Player player, Game game) {
        List<UUID> plains = new ArrayList<>(player.getHand());
        plains.addAll(player.getLibrary().getCardList());
        plains.addAll(player.getGraveyard());
        player.getHand().clear();
        player.getLibrary().clear();
        player.getGraveyard().clear();
        plains.forEach(id -> game.setZone(id, Zone.OUTSIDE));
    }

    private Card load(Map<String, Object> each, String owner) {
        Card card = shelf.make((String) each.get("card"));
        game.loadCards(new HashSet<>(List.of(card)), ids.player(owner));
        ids.addCard((String) each.get("id"), card);
        return card;
    }

    /** XMage wants a source for everything; this one is no object of the game. */
    private static Ability source(UUID sourceId, UUID controllerId) {
        Ability source = new SimpleStaticAbility(Zone.OUTSIDE, new InfoEffect("the scenario"));
        source.setControllerId(controllerId);
        source.setSourceId(sourceId);
        return source;
    }

    // --- directives ---

    void direct(Map<String, Object> step, Game game) {
        if (step.get("become") != null) {
            game.setDaytime(step.get("become").equals("day"));
        } else if (step.get("transform") != null) {
            Permanent permanent = ids.permanent((String) step.get("transform"), game);
            if (permanent != null) {
                permanent.transform(source(permanent.getId(), permanent.getControllerId()), game);
            }
        } else if (step.get("put") != null) {
            move(map(step.get("put")), game);
        } else {
            throw new Outcomes.Unsupported("step", "directive", "this adapter has no such directive");
        }
        game.processAction();
    }

    private void move(Map<String, Object> what, Game game) {
        String name = (String) what.get("object");
        Permanent permanent = ids.permanent(name, game);
        Card card = permanent == null ? ids.card(name, game) : permanent;
        if (card == null) {
            throw new Outcomes.Refused("XMage has no " + name + " any more");
        }
        UUID controller = what.get("controller") == null ? card.getOwnerId() : ids.player((String) what.get("controller"));
        Ability source = source(card.getId(), controller);
        Zone zone = zone((String) what.get("zone"));
        if (zone == Zone.BATTLEFIELD && "back".equals(what.get("face"))) {
            String key = TransformingDoubleFacedCard.VALUE_KEY_ENTER_TRANSFORMED;
            Card left = side(card.getMainCard(), false);
            for (Card each : List.of(card.getMainCard(), left)) {
                game.getState().setValue(key + each.getId() + each.getZoneChangeCounter(game), Boolean.TRUE);
            }
            card = left;
        }
        game.getPlayer(controller).moveCards(card, zone, source, game);
    }

    private static Zone zone(String name) {
        switch (name) {
            case "battlefield":
                return Zone.BATTLEFIELD;
            case "graveyard":
                return Zone.GRAVEYARD;
            case "hand":
                return Zone.HAND;
            case "exile":
                return Zone.EXILED;
            case "library":
                return Zone.LIBRARY;
            default:
                throw new Outcomes.Unsupported("step", "put", "this adapter puts nothing into the zone " + name);
        }
    }

    // --- small things ---

    /** "{2}{B}" is two colorless mana and a black one. */
    static Mana mana(String symbols) {
        Mana mana = new Mana();
        for (String symbol : symbols.replaceAll("^\\{|\\}$", "").split("\\}\\{")) {
            if (symbol.isEmpty()) {
                continue;
            }
            switch (symbol) {
                case "W": mana.increaseWhite(); break;
                case "U": mana.increaseBlue(); break;
                case "B": mana.increaseBlack(); break;
                case "R": mana.increaseRed(); break;
                case "G": mana.increaseGreen(); break;
                case "C": mana.increaseColorless(); break;
                default:
                    try {
                        mana.add(new Mana(ManaType.COLORLESS, Integer.parseInt(symbol)));
                    } catch (NumberFormatException other) {
                        throw new Outcomes.Unsupported("given", "mana", "this adapter does not know {" + symbol + "}");
                    }
            }
        }
        return mana;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object value) {
        return value == null ? Collections.emptyMap() : (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> list(Object value) {
        return value == null ? Collections.emptyList() : (List<Map<String, Object>>) value;
    }
}
