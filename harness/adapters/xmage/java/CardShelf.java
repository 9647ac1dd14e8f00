import java.text.Normalizer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import mage.cards.Card;
import mage.cards.CardImpl;
import mage.cards.CardSetInfo;
import mage.constants.Rarity;

/** Makes cards by the name of their front face, from their classes; no card database is needed. */
final class CardShelf {

    private final Map<String, Optional<Class<?>>> classes = new HashMap<>();

    /** Makes a new card. Throws Unsupported when XMage has no card of that name. */
    Card make(String name) {
        Optional<Class<?>> found = classes.computeIfAbsent(name, this::find);
        if (!found.isPresent()) {
            throw new Outcomes.Unsupported("card", name, "XMage has no class " + className(name));
        }
        Card card = CardImpl.createCard(found.get(), new CardSetInfo(name, "M15", "1", Rarity.COMMON));
        if (card == null || !card.getName().equals(name)) {
            throw new Outcomes.Unsupported("card", name, "XMage could not make this card");
        }
        return card;
    }

    private Optional<Class<?>> find(String name) {
        String simple = className(name);
        if (simple.isEmpty()) {
            return Optional.empty();
        }
        for (String folder : List.of(simple.substring(0, 1).toLowerCase(), "basiclands")) {
            try {
                return Optional.of(Class.forName("mage.cards." + folder + "." + simple));
            } catch (ClassNotFoundException | LinkageError elsewhere) {
                // LinkageError: a file system that does not tell Abc from abc
            }
        }
        return Optional.empty();
    }

    /** "Ill-Tempered Loner" is IllTemperedLoner, "Ashnod's Altar" is AshnodsAltar. */
    static String className(String name) {
        String plain = Normalizer.normalize(name, Normalizer.Form.NFD).replaceAll("\\p{M}|'|’", "");
        StringBuilder out = new StringBuilder();
        for (String word : plain.split("[^A-Za-z0-9]+")) {
            if (!word.isEmpty()) {
                out.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
            }
        }
        return out.toString();
    }
}
