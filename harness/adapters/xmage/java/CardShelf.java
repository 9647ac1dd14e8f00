import java.text.Normalizer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import mage.cards.Card;
import mage.cards.CardImpl;
import mage.cards.CardSetInfo;
import mage.cards.ExpansionSet;
import mage.cards.Sets;
import mage.constants.Rarity;

/** Makes cards by the name of their front face, from their classes; no card database is needed. */
final class CardShelf {

    private final Map<String, Optional<CardSetInfo>> infos = new HashMap<>();
    private final Map<String, Class<?>> classes = new HashMap<>();

    /** Makes a new card. Throws Unsupported when XMage has no card of that name. */
    Card make(String name) {
        Optional<CardSetInfo> info = infos.computeIfAbsent(name, this::find);
        if (!info.isPresent()) {
            throw new Outcomes.Unsupported("card", name, "XMage has no card of this name");
        }
        Card card = CardImpl.createCard(classes.get(name), info.get());
        if (card == null || !card.getName().equals(name)) {
            throw new Outcomes.Unsupported("card", name, "XMage could not make this card");
        }
        return card;
    }

    private Optional<CardSetInfo> find(String name) {
        String simple = className(name);
        if (!simple.isEmpty()) {
            String folder = simple.substring(0, 1).toLowerCase();
            try {
                classes.put(name, Class.forName("mage.cards." + folder + "." + simple));
                return Optional.of(new CardSetInfo(name, "M15", "1", Rarity.COMMON));
            } catch (ClassNotFoundException | LinkageError otherSpelling) {
                // the sets know the class of every card that they have
            }
        }
        for (ExpansionSet set : Sets.getInstance().values()) {
            for (ExpansionSet.SetCardInfo card : set.getSetCardInfo()) {
                if (card.getName().equals(name)) {
                    classes.put(name, card.getCardClass());
                    return Optional.of(new CardSetInfo(
                            name, set.getCode(), card.getCardNumber(), card.getRarity()));
                }
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
