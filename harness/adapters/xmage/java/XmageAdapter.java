import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.log4j.ConsoleAppender;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;

/**
 * XMage behind the adapter protocol: one JSON message a line on standard input, one on standard output.
 * Whatever XMage prints goes to standard error.
 */
public final class XmageAdapter {

    private static final List<String> CAPABILITIES = List.of(
            "choices", "copies", "costs", "directive become", "directive put", "directive transform", "events",
            "extra turns", "face-down", "find", "flashback", "leaving", "phasing", "planeswalkers",
            "skipped steps", "three players", "tokens");

    private final CardShelf shelf = new CardShelf();

    public static void main(String[] arguments) throws Exception {
        Writer out = new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8);
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true));
        Logger root = Logger.getRootLogger();
        root.removeAllAppenders();
        root.addAppender(new ConsoleAppender(new PatternLayout("%p %m%n"), ConsoleAppender.SYSTEM_ERR));
        root.setLevel(Level.ERROR);
        XmageAdapter adapter = new XmageAdapter();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.trim().isEmpty()) {
                continue;
            }
            Map<String, Object> reply = adapter.answer(line);
            out.write(Json.write(reply));
            out.write('\n');
            out.flush();
            if ("bye".equals(reply.get("type"))) {
                break;
            }
        }
        System.exit(0); // XMage may have left threads
    }

    private Map<String, Object> answer(String line) {
        Object id = null;
        try {
            Map<?, ?> message = (Map<?, ?>) Json.read(line);
            id = message.get("id") instanceof Long ? message.get("id") : null;
            String type = String.valueOf(message.get("type"));
            switch (type) {
                case "hello":
                    return hello(message);
                case "run":
                    if (id == null) {
                        return error(null, "run needs an id that is an integer");
                    }
                    if (!(message.get("given") instanceof Map) || !(message.get("steps") instanceof List)) {
                        return error(id, "run needs given and steps");
                    }
                    return run(message, id);
                case "bye":
                    return reply("bye", null);
                default:
                    return error(id, "no request has the type " + type);
            }
        } catch (StackOverflowError | Exception problem) {
            problem.printStackTrace();
            Throwable root = problem; // XMage wraps what went wrong into what it says of it
            while (root.getCause() != null) {
                root = root.getCause();
            }
            return error(id, root.getClass().getSimpleName() + ": " + root.getMessage());
        }
    }

    private static Map<String, Object> hello(Map<?, ?> message) {
        Object versions = message.get("protocol");
        if (!(versions instanceof List) || !((List<?>) versions).contains(1L)) {
            return error(null, "this adapter speaks version 1 of the protocol");
        }
        Map<String, Object> engine = new LinkedHashMap<>();
        engine.put("name", "XMage");
        engine.put("version", version());
        engine.put("language", "Java");
        engine.put("homepage", "https://xmage.today");
        engine.put("license", "MIT");
        Map<String, Object> reply = reply("hello", null);
        reply.put("protocol", 1);
        reply.put("engine", engine);
        reply.put("capabilities", CAPABILITIES);
        reply.put("cards", null);
        return reply;
    }

    private static String version() {
        String given = System.getProperty("xmage.version", "");
        if (!given.isEmpty()) {
            return given;
        }
        try {
            Class<?> type = Class.forName("mage.utils.MageVersion");
            return type.getField("MAGE_VERSION_MAJOR").get(null) + "." + type.getField("MAGE_VERSION_MINOR").get(null)
                    + "." + type.getField("MAGE_VERSION_RELEASE").get(null)
                    + type.getField("MAGE_VERSION_RELEASE_INFO").get(null);
        } catch (ReflectiveOperationException | LinkageError unknown) {
            return "unknown";
        }
    }

    private Map<String, Object> run(Map<?, ?> message, Object id) throws Exception {
        Table table = null;
        try {
            table = new Table(shelf, Table.map(message.get("given")), Table.list(message.get("steps")));
            table.play();
            return observations(id, table);
        } catch (Outcomes.Finished finished) {
            return observations(id, table);
        } catch (Outcomes.Refused refused) {
            Map<String, Object> reply = reply("refused", id);
            reply.put("step", table.script().step());
            reply.put("reason", refused.getMessage());
            reply.put("observations", table.script().observations());
            return reply;
        } catch (Outcomes.Unsupported unsupported) {
            return unsupported.reply(id);
        } catch (Outcomes.Endless endless) {
            return error(id, endless.getMessage());
        }
    }

    private static Map<String, Object> observations(Object id, Table table) {
        Map<String, Object> reply = reply("observations", id);
        reply.put("observations", table.script().observations());
        return reply;
    }

    private static Map<String, Object> reply(String type, Object id) {
        Map<String, Object> reply = new LinkedHashMap<>();
        reply.put("type", type);
        if (id != null) {
            reply.put("id", id);
        }
        return reply;
    }

    private static Map<String, Object> error(Object id, String reason) {
        Map<String, Object> reply = new LinkedHashMap<>();
        reply.put("type", "error");
        reply.put("id", id);
        reply.put("reason", reason);
        return reply;
    }
}
