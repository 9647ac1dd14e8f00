import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import mage.MageObject;
import mage.Mana;
import mage.ObjectColor;
import mage.abilities.Abilities;
import mage.abilities.Ability;
import mage.abilities.Mode;
import mage.abilities.keyword.HexproofBaseAbility;
import mage.cards.Card;
import mage.cards.DoubleFacedCard;
import mage.cards.DoubleFacedCardHalf;
import mage.constants.CardType;
import mage.constants.SubType;
import mage.constants.Zone;
import mage.counters.Counter;
import mage.counters.CounterType;
import mage.counters.Counters;
import mage.game.ExileZone;
import mage.game.Game;
import mage.game.combat.CombatGroup;
import mage.game.permanent.Permanent;
import mage.game.permanent.PermanentToken;
import mage.game.stack.Spell;
import mage.game.stack.StackObject;
import mage.players.Player;
import mage.target.Target;
import mage.watchers.common.CastSpellLastTurnWatcher;

/** Answers looks: what XMage's game state says, in the protocol's words. */
final class Looks {

    private final Ids ids;
    private final Script script;
    private int seen;

    Looks(Ids ids, Script script) {
        this.ids = ids;
        this.script = script;
    }

    /** What happened so far is not to be told. */
    void forget(Game game) {
        seen = EventLog.of(game).entries().size();
    }

    Map<String, Object> observe(Map<String, Object> look, Game game) {
        Map<String, Object> seenNow = new LinkedHashMap<>();
        for (Map.Entry<String, Object> asked : look.entrySet()) {
            switch (asked.getKey()) {
                case "designation":
                    seenNow.put("designation", designation(game));
                    break;
                case "turn":
                    seenNow.put("turn", each(strings(asked.getValue()), word -> turn(word, game)));
                    break;
                case "objects":
                    seenNow.put("objects", eachOf(asked.getValue(), (name, word) -> object(name, word, game)));
                    break;
                case "players":
                    seenNow.put("players", eachOf(asked.getValue(), (name, word) -> player(name, word, game)));
                    break;
                case "stack": {
                    List<Object> stack = new ArrayList<>();
                    for (StackObject object : game.getStack()) {
                        stack.add(each(strings(asked.getValue()), word -> onStack(object, word, game)));
                    }
                    seenNow.put("stack", stack);
                    break;
                }
                case "events":
                    seenNow.put("events", events(strings(asked.getValue()), game));
                    break;
                default: // `do`, and keys that this version of the protocol does not have
            }
        }
        seen = EventLog.of(game).entries().size();
        return seenNow;
    }

    private interface OfOne {
        Object of(String word);
    }

    private interface OfTwo {
        Object of(String name, String word);
    }

    private static Map<String, Object> each(List<String> words, OfOne what) {
        Map<String, Object> found = new LinkedHashMap<>();
        for (String word : words) {
            found.put(word, what.of(word));
        }
        return found;
    }

    private static Map<String, Object> eachOf(Object asked, OfTwo what) {
        Map<String, Object> found = new LinkedHashMap<>();
        ((Map<?, ?>) asked).forEach((name, words) ->
                found.put((String) name, each(strings(words), word -> what.of((String) name, word))));
        return found;
    }

    @SuppressWarnings("unchecked")
    private static List<String> strings(Object value) {
        return (List<String>) value;
    }

    private static Outcomes.Unsupported cannot(String word) {
        return new Outcomes.Unsupported("look", word, "this adapter does not know how to look at it");
    }

    static String designation(Game game) {
        return !game.hasDayNight() ? "neither" : game.checkDayNight(true) ? "day" : "night";
    }

    private Object turn(String word, Game game) {
        switch (word) {
            case "active":
                return ids.name(game.getActivePlayerId());
            case "step":
                return Steps.name(game.getTurnStepType());
            case "number":
                return script.turnNumber(game);
            default:
                throw cannot(word);
        }
    }

    // --- objects ---

    /** Which face is up. XMage's tokens know it themselves; a card has a back face or it has not. */
    static String face(Permanent permanent) {
        boolean two = permanent instanceof PermanentToken
                || permanent.getMainCard() instanceof DoubleFacedCard;
        return two && permanent.isTransformed() ? "back" : "front";
    }

    private static String face(Card card) {
        boolean back = card instanceof DoubleFacedCardHalf && ((DoubleFacedCardHalf) card).isBackSide();
        return back ? "back" : "front";
    }

    private Object object(String name, String word, Game game) {
        if (!ids.isObject(name)) {
            throw new Outcomes.Unsupported("look", name, "nothing has this id");
        }
        Permanent permanent = ids.permanent(name, game);
        if (permanent != null) {
            return ofPermanent(permanent, word, game);
        }
        Spell spell = ids.spell(name, game);
        if (spell != null) {
            return ofSpell(spell, word, game);
        }
        Card card = ids.card(name, game);
        Zone zone = card == null ? null : game.getState().getZone(card.getId());
        if (word.equals("zone")) {
            return zone == null ? "nowhere" : zoneName(zone);
        }
        boolean gone = zone == null || zone == Zone.OUTSIDE || zone == Zone.BATTLEFIELD || zone == Zone.STACK;
        return gone ? null : ofCard(card, zone, word, game);
    }

    private static String zoneName(Zone zone) {
        switch (zone) {
            case GRAVEYARD:
                return "graveyard";
            case HAND:
                return "hand";
            case LIBRARY:
                return "library";
            case EXILED:
                return "exile";
            case COMMAND:
                return "command";
            default:
                // not among the permanents nor on the stack, whatever its zone says
                return "nowhere";
        }
    }

    private Object ofPermanent(Permanent permanent, String word, Game game) {
        switch (word) {
            case "zone":
                return "battlefield";
            case "face":
                return face(permanent);
            case "power":
                return permanent.isCreature(game) ? permanent.getPower().getValue() : null;
            case "toughness":
                return permanent.isCreature(game) ? permanent.getToughness().getValue() : null;
            case "loyalty":
                return permanent.isPlaneswalker(game)
                        ? permanent.getCounters(game).getCount(CounterType.LOYALTY) : null;
            case "keywords":
                return keywords(permanent.getAbilities(game));
            case "tapped":
                return permanent.isTapped();
            case "counters":
                return counters(permanent.getCounters(game));
            case "damage":
                return permanent.getDamage();
            case "attached to":
                return ids.name(permanent.getAttachedTo());
            case "controller":
                return ids.name(permanent.getControllerId());
            case "owner":
                return ids.name(permanent.getOwnerId());
            case "phased out":
                return !permanent.isPhasedIn();
            case "face down":
                return permanent.isFaceDown(game);
            case "token":
                return permanent instanceof PermanentToken;
            case "summoning sick":
                return !permanent.wasControlledFromStartOfControllerTurn();
            case "attacking":
                return ids.name(game.getCombat().getDefenderId(permanent.getId()));
            case "blocking": {
                List<String> blocked = new ArrayList<>();
                for (CombatGroup group : game.getCombat().getGroups()) {
                    if (group.getBlockers().contains(permanent.getId())) {
                        group.getAttackers().forEach(id -> blocked.add(ids.name(id)));
                    }
                }
                return blocked;
            }
            case "position":
                return null;
            default:
                return characteristic(permanent, word, game);
        }
    }

    private Object ofSpell(Spell spell, String word, Game game) {
        switch (word) {
            case "zone":
                return "stack";
            case "face":
                return face(spell.getCard());
            case "power":
                return spell.isCreature(game) ? spell.getPower().getValue() : null;
            case "toughness":
                return spell.isCreature(game) ? spell.getToughness().getValue() : null;
            case "keywords":
                return keywords(spell.getAbilities(game));
            case "controller":
                return ids.name(spell.getControllerId());
            case "owner":
                return ids.name(spell.getOwnerId());
            case "face down":
                return spell.isFaceDown(game);
            case "loyalty":
                return spell.isPlaneswalker(game) ? spell.getStartingLoyalty() : null;
            case "tapped":
            case "counters":
            case "damage":
            case "attached to":
            case "phased out":
            case "token":
            case "summoning sick":
            case "attacking":
            case "blocking":
            case "position":
                return null;
            default:
                return characteristic(spell, word, game);
        }
    }

    private Object ofCard(Card card, Zone zone, String word, Game game) {
        switch (word) {
            case "face":
                return "front";
            case "power":
                return card.isCreature(game) ? card.getPower().getValue() : null;
            case "toughness":
                return card.isCreature(game) ? card.getToughness().getValue() : null;
            case "loyalty":
                return card.isPlaneswalker(game) ? card.getStartingLoyalty() : null;
            case "keywords":
                return keywords(front(card).getAbilities(game));
            case "owner":
                return ids.name(card.getOwnerId());
            case "counters":
                return counters(card.getCounters(game));
            case "face down":
                return card.isFaceDown(game);
            case "position": {
                Player owner = game.getPlayer(card.getOwnerId());
                int place = zone == Zone.LIBRARY ? owner.getLibrary().getCardList().indexOf(card.getId()) : -1;
                return place < 0 ? null : place + 1;
            }
            case "tapped":
            case "damage":
            case "attached to":
            case "controller":
            case "phased out":
            case "token":
            case "summoning sick":
            case "attacking":
            case "blocking":
                return null;
            default:
                return characteristic(front(card), word, game);
        }
    }

    private static Card front(Card card) {
        return card instanceof DoubleFacedCard ? ((DoubleFacedCard) card).getLeftHalfCard() : card;
    }

    private static Object characteristic(MageObject object, String word, Game game) {
        switch (word) {
            case "name":
                return object.getName().isEmpty() ? null : object.getName();
            case "mana value":
                return object.getManaValue();
            case "colors":
                return colors(object.getColor(game));
            case "types":
                return object.getCardType(game).stream()
                        .map(CardType::name).map(String::toLowerCase).distinct().collect(Collectors.toList());
            case "supertypes":
                return object.getSuperType(game).stream()
                        .map(type -> type.name().toLowerCase()).distinct().collect(Collectors.toList());
            case "subtypes":
                return object.getSubtype(game).stream()
                        .map(SubType::getDescription).distinct().collect(Collectors.toList());
            default:
                throw cannot(word);
        }
    }

    private static List<String> colors(ObjectColor color) {
        List<String> found = new ArrayList<>();
        if (color.isWhite()) {
            found.add("white");
        }
        if (color.isBlue()) {
            found.add("blue");
        }
        if (color.isBlack()) {
            found.add("black");
        }
        if (color.isRed()) {
            found.add("red");
        }
        if (color.isGreen()) {
            found.add("green");
        }
        return found;
    }

    /** Keyword abilities by the names of their classes: FirstStrikeAbility is "first strike". */
    private static List<String> keywords(Abilities<Ability> abilities) {
        TreeSet<String> found = new TreeSet<>();
        for (Ability ability : abilities) {
            Class<?> type = ability.getClass();
            if (type.getName().startsWith("mage.abilities.keyword.")) {
                found.add(type.getSimpleName().replaceAll("Ability$", "")
                        .replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase());
            }
        }
        return new ArrayList<>(found);
    }

    private static Map<String, Object> counters(Counters counters) {
        Map<String, Object> found = new LinkedHashMap<>();
        for (Counter counter : counters.values()) {
            if (counter.getCount() > 0) {
                found.put(counter.getName(), counter.getCount());
            }
        }
        return found;
    }

    // --- players ---

    private Object player(String name, String word, Game game) {
        Player player = ids.player(name, game);
        UUID id = player.getId();
        switch (word) {
            case "life":
                return player.getLife();
            case "hand":
                return player.getHand().size();
            case "library":
                return player.getLibrary().size();
            case "graveyard":
                return player.getGraveyard().size();
            case "exile": {
                int count = 0;
                for (ExileZone zone : game.getExile().getExileZones()) {
                    for (Card card : zone.getCards(game)) {
                        count += card.isOwnedBy(id) ? 1 : 0;
                    }
                }
                return count;
            }
            case "permanents":
                return game.getBattlefield().getAllActivePermanents(id).stream()
                        .map(Permanent::getName).sorted().collect(Collectors.toList());
            case "hexproof":
                return player.getAbilities().stream().anyMatch(a -> a instanceof HexproofBaseAbility);
            case "lost":
                return player.hasLost() || player.hasLeft();
            case "spells cast":
                return game.getState().getWatcher(CastSpellLastTurnWatcher.class)
                        .getAmountOfSpellsPlayerCastOnCurrentTurn(id);
            case "poison":
                return player.getCountersCount(CounterType.POISON);
            case "mana": {
                Mana left = script.reserve(name);
                return left == null ? null : left.count() + player.getManaPool().getMana().count();
            }
            default:
                throw cannot(word);
        }
    }

    // --- the stack ---

    private Object onStack(StackObject object, String word, Game game) {
        boolean isSpell = object instanceof Spell;
        switch (word) {
            case "object":
                return !isSpell ? null : ids.name(object.isCopy() ? object.getId() : object.getSourceId());
            case "ability of":
                return isSpell ? null : ids.name(object.getSourceId());
            case "controller":
                return ids.name(object.getControllerId());
            case "face":
                return isSpell ? face(((Spell) object).getCard()) : null;
            case "name":
                return isSpell ? object.getName() : null;
            case "mana value":
                return isSpell ? object.getManaValue() : null;
            case "targets":
                return targets(object.getStackAbility(), game);
            default:
                throw cannot(word);
        }
    }

    /** The targets of a spell or ability, mode by mode, by scenario id. */
    List<String> targets(Ability ability, Game game) {
        List<String> found = new ArrayList<>();
        for (UUID selected : ability.getModes().getSelectedModes()) {
            Mode mode = ability.getModes().get(selected);
            if (mode == null) {
                continue;
            }
            for (Target target : mode.getTargets()) {
                if (!target.isNotTarget()) {
                    target.getTargets().forEach(id -> found.add(ids.nameOf(id, game)));
                }
            }
        }
        return found;
    }

    // --- events ---

    private List<Object> events(List<String> words, Game game) {
        List<EventLog.Entry> log = EventLog.of(game).entries();
        List<Object> found = new ArrayList<>();
        for (EventLog.Entry entry : log.subList(Math.min(seen, log.size()), log.size())) {
            Object subject = named(entry.subject);
            if (!words.contains(entry.word) || subject == null) {
                continue; // what has no id in the scenario cannot be told
            }
            Map<String, Object> event = new LinkedHashMap<>();
            event.put(entry.word, subject);
            entry.attributes.forEach((key, value) -> event.put(key, named(value)));
            found.add(event);
        }
        return found;
    }

    private Object named(Object value) {
        return value instanceof UUID ? ids.name((UUID) value) : value;
    }
}
