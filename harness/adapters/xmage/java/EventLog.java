import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import mage.constants.WatcherScope;
import mage.constants.Zone;
import mage.game.Game;
import mage.game.events.BatchEvent;
import mage.game.events.EntersTheBattlefieldEvent;
import mage.game.events.GameEvent;
import mage.game.events.ZoneChangeEvent;
import mage.game.permanent.Permanent;
import mage.game.stack.Spell;
import mage.game.stack.StackObject;
import mage.watchers.Watcher;

/**
 * What happened, in order. It is a watcher, so it is part of XMage's game state: an action that XMage
 * takes back takes its events back too, and simulations write into copies of it. But it does not watch:
 * XMage shows watchers many events later, when all that happened at the same moment is over, so the
 * game itself tells the log (see Telling).
 */
final class EventLog extends Watcher {

    /** One event. Values are words, numbers or XMage's ids; ids are named when someone looks. */
    static final class Entry {
        final String word;
        final Object subject;
        final Map<String, Object> attributes = new LinkedHashMap<>();

        Entry(String word, Object subject) {
            this.word = word;
            this.subject = subject;
        }

        Entry with(String attribute, Object value) {
            attributes.put(attribute, value);
            return this;
        }
    }

    private final List<Entry> entries;

    EventLog() {
        super(WatcherScope.GAME);
        entries = new ArrayList<>();
    }

    private EventLog(EventLog other) {
        super(other);
        entries = new ArrayList<>(other.entries);
    }

    static EventLog of(Game game) {
        return game.getState().getWatcher(EventLog.class);
    }

    List<Entry> entries() {
        return entries;
    }

    void add(Entry entry) {
        entries.add(entry);
    }

    @Override
    @SuppressWarnings("unchecked")
    public EventLog copy() {
        return new EventLog(this);
    }

    @Override
    public void reset() {
        // XMage resets watchers at the end of a turn; what happened has happened
    }

    @Override
    public void watch(GameEvent event, Game game) {
        // it has been told already
    }

    /** An event happens now. */
    void happens(GameEvent event, Game game) {
        if (event instanceof BatchEvent) {
            return; // sums up events that came, or will come, by themselves
        }
        UUID target = event.getTargetId();
        UUID source = event.getSourceId();
        switch (event.getType()) {
            case ENTERS_THE_BATTLEFIELD: {
                Permanent entering = ((EntersTheBattlefieldEvent) event).getTarget();
                add(new Entry("entered", target)
                        .with("face", Looks.face(entering))
                        .with("controller", entering.getControllerId())
                        .with("tapped", entering.isTapped()));
                break;
            }
            case ZONE_CHANGE:
                moved((ZoneChangeEvent) event);
                break;
            case SPELL_CAST:
                add(new Entry("cast", source).with("player", event.getPlayerId()));
                break;
            case COUNTERED:
                add(new Entry("countered", cardOf(target, game)));
                break;
            case ATTACHED:
            case ENCHANTED_PLAYER:
                add(new Entry("attached", source).with("to", target));
                break;
            case UNATTACHED:
                add(new Entry("unattached", source));
                break;
            case TAPPED:
                add(new Entry("tapped", target));
                break;
            case UNTAPPED:
                add(new Entry("untapped", target));
                break;
            case PHASED_IN:
                add(new Entry("phased in", target));
                break;
            case PHASED_OUT:
                add(new Entry("phased out", target));
                break;
            case DREW_CARD:
                add(new Entry("drew", event.getPlayerId()));
                break;
            case DISCARDED_CARD:
                add(new Entry("discarded", target).with("player", event.getPlayerId()));
                break;
            case DAMAGED_PLAYER:
            case DAMAGED_PERMANENT:
                add(new Entry("damaged", target).with("by", source).with("amount", event.getAmount()));
                break;
            case GAINED_LIFE:
                add(new Entry("gained life", event.getPlayerId()).with("amount", event.getAmount()));
                break;
            case LOST_LIFE:
                add(new Entry("lost life", event.getPlayerId()).with("amount", event.getAmount()));
                break;
            case SACRIFICED_PERMANENT:
                add(new Entry("sacrificed", target).with("player", event.getPlayerId()));
                break;
            case DESTROYED_PERMANENT:
                add(new Entry("destroyed", target));
                break;
            case MILLED_CARD:
                add(new Entry("milled", target));
                break;
            case CREATED_TOKEN: {
                Permanent token = game.getPermanent(target);
                add(new Entry("created", target)
                        .with("controller", event.getPlayerId())
                        .with("face", token == null ? null : Looks.face(token))
                        .with("tapped", token != null && token.isTapped()));
                break;
            }
            case CREATURE_BLOCKED:
                add(new Entry("blocked", target));
                break;
            case ATTACKER_DECLARED:
                add(new Entry("attacked", source));
                break;
            case BEGIN_TURN:
                add(new Entry("turn", event.getPlayerId()));
                break;
            case LOST:
                add(new Entry("lost", event.getPlayerId()));
                break;
            default:
                if (event.getType().name().endsWith("_STEP_PRE")) {
                    add(new Entry("step", Steps.name(game.getTurnStepType()))
                            .with("active", event.getPlayerId()));
                }
        }
    }

    private void moved(ZoneChangeEvent event) {
        UUID target = event.getTargetId();
        Zone from = event.getFromZone();
        Zone to = event.getToZone();
        if (from == Zone.BATTLEFIELD) {
            add(new Entry("left", target));
            if (to == Zone.GRAVEYARD) {
                add(new Entry("died", target));
            }
        }
        if (to == Zone.EXILED) {
            add(new Entry("exiled", target));
        } else if (to == Zone.HAND && from != null && from != Zone.LIBRARY && from != Zone.HAND) {
            add(new Entry("returned", target));
        }
    }

    private static UUID cardOf(UUID stackObject, Game game) {
        StackObject object = game.getStack().getStackObject(stackObject);
        if (object == null) {
            Spell spell = game.getSpellOrLKIStack(stackObject);
            return spell == null ? stackObject : spell.getSourceId();
        }
        return object instanceof Spell && !object.isCopy() ? object.getSourceId() : stackObject;
    }
}
