import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON in and out: objects are maps, arrays are lists, numbers are longs or doubles. */
final class Json {

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Reads one value. Throws IllegalArgumentException for what is not JSON. */
    static Object read(String text) {
        Json reader = new Json(text);
        Object value = reader.value(0);
        reader.space();
        if (reader.at < text.length()) {
            throw reader.wrong("nothing more");
        }
        return value;
    }

    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private Object value(int depth) {
        if (depth > 100) {
            throw wrong("less nesting");
        }
        space();
        if (at == text.length()) {
            throw wrong("a value");
        }
        switch (text.charAt(at)) {
            case '{': {
                Map<String, Object> map = new LinkedHashMap<>();
                at++;
                if (next('}')) {
                    return map;
                }
                do {
                    space();
                    String key = string();
                    need(':');
                    map.put(key, value(depth + 1));
                } while (next(','));
                need('}');
                return map;
            }
            case '[': {
                List<Object> list = new ArrayList<>();
                at++;
                if (next(']')) {
                    return list;
                }
                do {
                    list.add(value(depth + 1));
                } while (next(','));
                need(']');
                return list;
            }
            case '"':
                return string();
            case 't':
                return word("true", true);
            case 'f':
                return word("false", false);
            case 'n':
                return word("null", null);
            default:
                return number();
        }
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong(word);
        }
        at += word.length();
        return value;
    }

    private Object number() {
        int start = at;
        while (at < text.length() && "+-0123456789.eE".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String digits = text.substring(start, at);
        try {
            return Long.valueOf(digits);
        } catch (NumberFormatException notWhole) {
            try {
                return Double.valueOf(digits);
            } catch (NumberFormatException notANumber) {
                at = start;
                throw wrong("a value");
            }
        }
    }

    private String string() {
        need('"');
        StringBuilder out = new StringBuilder();
        while (true) {
            char c = take();
            if (c == '"') {
                return out.toString();
            }
            if (c != '\\') {
                out.append(c);
                continue;
            }
            c = take();
            switch (c) {
                case 'n': out.append('\n'); break;
                case 't': out.append('\t'); break;
                case 'r': out.append('\r'); break;
                case 'b': out.append('\b'); break;
                case 'f': out.append('\f'); break;
                case 'u': {
                    if (at + 4 > text.length()) {
                        throw wrong("four hexadecimal digits");
                    }
                    out.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                    break;
                }
                default: out.append(c);
            }
        }
    }

    private char take() {
        if (at == text.length()) {
            throw wrong("the end of a string");
        }
        return text.charAt(at++);
    }

    private void space() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private boolean next(char c) {
        space();
        if (at < text.length() && text.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    private void need(char c) {
        if (!next(c)) {
            throw wrong("'" + c + "'");
        }
    }

    private IllegalArgumentException wrong(String expected) {
        return new IllegalArgumentException("not JSON: expected " + expected + " at character " + at);
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map) {
            String comma = "";
            out.append('{');
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                out.append(comma);
                quote(String.valueOf(entry.getKey()), out);
                out.append(':');
                write(entry.getValue(), out);
                comma = ",";
            }
            out.append('}');
        } else if (value instanceof Iterable) {
            String comma = "";
            out.append('[');
            for (Object item : (Iterable<?>) value) {
                out.append(comma);
                write(item, out);
                comma = ",";
            }
            out.append(']');
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            quote(value.toString(), out);
        }
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c == '\u2028' || c == '\u2029' || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
