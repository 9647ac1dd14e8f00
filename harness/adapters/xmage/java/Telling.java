import mage.abilities.TriggeredAbility;
import mage.game.Game;
import mage.game.events.GameEvent;

/**
 * What a game has to tell its event log because XMage has no event for it, or has it late: it becomes
 * day or night for the first time; an ability triggers (its event comes when the ability is put on the
 * stack); a permanent has just been turned over (its event waits until the effect or the untap step
 * that turned it is over) or is turned face up (its event waits until what follows has been done).
 */
final class Telling {

    private Telling() {
    }

    static void becoming(Game game, boolean day) {
        if (!game.hasDayNight() || game.checkDayNight(!day)) {
            EventLog.of(game).add(new EventLog.Entry("became", day ? "day" : "night"));
        }
    }

    /** XMage has triggered abilities that do not use the stack: how it ends effects "until …", for one. */
    static void triggering(Game game, TriggeredAbility ability) {
        if (ability.getControllerId() != null && ability.isUsesStack()) {
            EventLog.of(game).add(new EventLog.Entry("triggered", ability.getSourceId()));
        }
    }

    static void transforming(Game game, GameEvent event) {
        if (event.getType() == GameEvent.EventType.TRANSFORMING) {
            EventLog.of(game).add(new EventLog.Entry("transformed", event.getTargetId()));
        }
    }

    static void turningUp(Game game, GameEvent event) {
        if (event.getType() == GameEvent.EventType.TURN_FACE_UP) {
            EventLog.of(game).add(new EventLog.Entry("turned face up", event.getTargetId()));
        }
    }
}
