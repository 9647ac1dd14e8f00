import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import mage.cards.Card;
import mage.cards.DoubleFacedCard;
import mage.cards.SplitCard;
import mage.game.Game;
import mage.game.permanent.Permanent;
import mage.game.stack.Spell;
import mage.game.stack.StackObject;
import mage.players.Player;

/**
 * Which scenario id belongs to which of XMage's ids. A double-faced card has three of them, the card
 * and its two halves, and its permanent has that of the half it entered as.
 */
final class Ids {

    private final Map<UUID, String> names = new HashMap<>();
    private final Map<String, Set<UUID>> objects = new LinkedHashMap<>();
    private final Map<String, UUID> players = new LinkedHashMap<>();

    void addPlayer(String name, UUID id) {
        players.put(name, id);
        names.put(id, name);
    }

    void addCard(String name, Card card) {
        add(name, card.getId());
        if (card instanceof DoubleFacedCard) {
            add(name, ((DoubleFacedCard) card).getLeftHalfCard().getId());
            add(name, ((DoubleFacedCard) card).getRightHalfCard().getId());
        } else if (card instanceof SplitCard) {
            add(name, ((SplitCard) card).getLeftHalfCard().getId());
            add(name, ((SplitCard) card).getRightHalfCard().getId());
        }
    }

    void add(String name, UUID id) {
        names.put(id, name);
        objects.computeIfAbsent(name, key -> new HashSet<>()).add(id);
    }

    boolean isObject(String name) {
        return objects.containsKey(name);
    }

    UUID player(String name) {
        UUID id = players.get(name);
        if (id == null) {
            throw new Outcomes.Unsupported("step", name, "there is no player of this name");
        }
        return id;
    }

    Iterable<String> playerNames() {
        return players.keySet();
    }

    /** The scenario id of an object, a half of it, or a player; null for what has none. */
    String name(UUID id) {
        return id == null ? null : names.get(id);
    }

    /** The same, for a stack object too: a spell goes by its card, an ability by its source. */
    String nameOf(UUID id, Game game) {
        String name = name(id);
        if (name == null && id != null) {
            StackObject onStack = game.getStack().getStackObject(id);
            if (onStack instanceof Spell && !onStack.isCopy()) {
                name = name(onStack.getSourceId());
            }
        }
        return name;
    }

    boolean is(String name, UUID id) {
        return id != null && name.equals(names.get(id));
    }

    /** All of XMage's ids that may stand for this object or player in a choice. */
    Set<UUID> candidates(String name, Game game) {
        Set<UUID> found = new HashSet<>();
        if (players.containsKey(name)) {
            found.add(players.get(name));
        }
        found.addAll(objects.getOrDefault(name, Set.of()));
        for (StackObject object : game.getStack()) {
            if (object instanceof Spell && !object.isCopy() && is(name, object.getSourceId())) {
                found.add(object.getId());
            }
        }
        return found;
    }

    /** The permanent, phased out or not; null when it is not on the battlefield. */
    Permanent permanent(String name, Game game) {
        for (Permanent permanent : game.getBattlefield().getAllPermanents()) {
            if (is(name, permanent.getId())) {
                return permanent;
            }
        }
        return null;
    }

    Spell spell(String name, Game game) {
        for (StackObject object : game.getStack()) {
            boolean same = is(name, object.getId()) || !object.isCopy() && is(name, object.getSourceId());
            if (object instanceof Spell && same) {
                return (Spell) object;
            }
        }
        return null;
    }

    /** The main card; null for a token. */
    Card card(String name, Game game) {
        for (UUID id : objects.getOrDefault(name, Set.of())) {
            Card card = game.getCard(id);
            if (card != null) {
                return card.getMainCard();
            }
        }
        return null;
    }

    Player player(String name, Game game) {
        return game.getPlayer(player(name));
    }
}
