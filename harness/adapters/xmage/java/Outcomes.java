import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a run ends before its last step. These are errors, not exceptions, because XMage catches
 * exceptions in the middle of a game and goes on.
 */
final class Outcomes {

    private Outcomes() {
    }

    /** The script is at its end; the rest of the game does not matter. */
    static final class Finished extends Error {
        Finished() {
            super("finished", null, false, false);
        }
    }

    /** XMage does not allow the action. */
    static final class Refused extends Error {
        Refused(String reason) {
            super(reason, null, false, false);
        }
    }

    /** This adapter cannot express it, or cannot tell. */
    static final class Unsupported extends Error {
        final String what;
        final String name;

        Unsupported(String what, String name, String reason) {
            super(reason, null, false, false);
            this.what = what;
            this.name = name;
        }

        Map<String, Object> reply(Object id) {
            Map<String, Object> reply = new LinkedHashMap<>();
            reply.put("type", "unsupported");
            reply.put("id", id);
            reply.put("what", what);
            reply.put("name", name);
            reply.put("reason", getMessage());
            return reply;
        }
    }

    /** The engine went round and round. */
    static final class Endless extends Error {
        Endless(String reason) {
            super(reason, null, false, false);
        }
    }
}
