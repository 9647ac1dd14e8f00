import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import mage.MageObject;
import mage.abilities.Ability;
import mage.abilities.Mode;
import mage.abilities.Modes;
import mage.abilities.TriggeredAbility;
import mage.cards.Cards;
import mage.choices.Choice;
import mage.constants.Zone;
import mage.game.Game;
import mage.game.permanent.Permanent;
import mage.target.Target;
import mage.target.TargetAmount;

/**
 * What the step says when XMage asks. A question with one possible answer needs none, and to "may" and
 * "up to" the answer is no unless the step says something; any other question without an answer ends
 * the run as unsupported: nothing is ever guessed.
 */
final class Answers {

    /** One entry of `choices`: who is asked, by what (null: by anything), and what they say. */
    private static final class Pending {
        final String player;
        final String by;
        final Deque<Object> values;
        boolean begun;
        boolean isOrder;

        Pending(String player, String by, List<?> values) {
            this.player = player;
            this.by = by;
            this.values = new ArrayDeque<>(values);
        }
    }

    private final Ids ids;
    private final List<Pending> pending = new ArrayList<>();
    private String actor;
    private final Deque<String> targets = new ArrayDeque<>();
    private final Deque<String> payWith = new ArrayDeque<>();
    private List<?> modes = List.of();
    private Integer x;
    private boolean begun;
    private boolean retargeting;

    Answers(Ids ids) {
        this.ids = ids;
    }

    /** The next step begins; what the last one said is over. */
    void begin(Map<String, Object> step) {
        begun = true;
        retargeting = false;
        pending.clear();
        for (Object each : (List<?>) step.getOrDefault("choices", List.of())) {
            Map<?, ?> choice = (Map<?, ?>) each;
            pending.add(new Pending((String) choice.get("player"), (String) choice.get("for"),
                    (List<?>) choice.get("choose")));
        }
    }

    /** A player begins to cast or activate: until `acted`, that answers questions too. */
    @SuppressWarnings("unchecked")
    void acting(Map<String, Object> step) {
        actor = (String) step.get("player");
        targets.clear();
        targets.addAll((List<String>) step.getOrDefault("targets", List.of()));
        payWith.clear();
        payWith.addAll((List<String>) step.getOrDefault("pay with", List.of()));
        modes = (List<?>) step.getOrDefault("modes", List.of());
        x = step.get("x") == null ? null : ((Number) step.get("x")).intValue();
    }

    void acted() {
        actor = null;
    }

    /** An answer of which XMage took a part only is an answer that it did not allow. */
    void checkUsedUp() {
        for (Pending each : pending) {
            if (each.begun && !each.isOrder && !each.values.isEmpty()) {
                throw new Outcomes.Refused("XMage did not let " + each.player + " choose " + each.values.peek() + " too");
            }
        }
    }

    /** The next permanent that is named to pay with and can make mana; it is named no more. */
    Permanent manaSource(ScriptedPlayer player, Game game) {
        if (!player.getName().equals(actor) || payWith.isEmpty()) {
            return null;
        }
        Permanent permanent = ids.permanent(payWith.peek(), game);
        boolean can = permanent != null && permanent.isControlledBy(player.getId()) && !permanent.getAbilities(game)
                .getAvailableActivatedManaAbilities(Zone.BATTLEFIELD, player.getId(), game).isEmpty();
        if (can) {
            payWith.poll();
        }
        return can ? permanent : null;
    }

    /** What the costs were to be paid with and were not. */
    Deque<String> notPaidWith() {
        return payWith;
    }

    boolean pick(ScriptedPlayer player, Target target, Ability source, Cards cards, Game game) {
        UUID asked = target.getAffectedAbilityControllerId(player.getId());
        Set<UUID> possible = new LinkedHashSet<>(cards == null
                ? target.possibleTargets(asked, source, game)
                : target.possibleTargets(asked, source, game, cards));
        possible.removeAll(target.getTargets());
        int min = target.getMinNumberOfTargets() - target.getTargets().size();
        int max = target.getMaxNumberOfTargets() - target.getTargets().size();
        if (!begun) {
            if (!possible.contains(player.getId())) {
                throw new Outcomes.Unsupported("given", "unanswered question",
                        question(player, target.getMessage(game), source));
            }
            return add(Set.of(player.getId()), target, source, game);
        }
        if (player.getName().equals(actor) && !target.isNotTarget()) {
            List<UUID> taken = take(targets, possible, max, game);
            if (taken.size() < min) {
                throw new Outcomes.Refused(targets.isEmpty()
                        ? "XMage asks for a target and none is named: " + target.getMessage(game)
                        : "XMage does not allow the target " + targets.peek() + ": " + target.getMessage(game));
            }
            return add(taken, target, source, game);
        }
        if (player.getName().equals(actor) && !payWith.isEmpty()) {
            List<UUID> taken = take(payWith, possible, max, game);
            if (!taken.isEmpty()) {
                return add(taken, target, source, game);
            }
        }
        if (min <= 0 && !target.getTargets().isEmpty()) {
            return false; // all that the script said is chosen already
        }
        Pending answer = next(player, source);
        if (answer != null && "yes".equals(answer.values.peek())) {
            // an optional choice that the script tells in two steps and XMage asks in one
            answer.values.poll();
            drop(answer);
            answer = next(player, source);
        }
        if (answer == null) {
            if (possible.isEmpty()) {
                return false;
            }
            if (possible.size() <= min) {
                return add(possible, target, source, game);
            }
            if (min <= 0) {
                return false; // nobody does what the script does not say
            }
            throw unanswered(player, target.getMessage(game), source);
        }
        if ("no".equals(answer.values.peek())) {
            answer.values.poll();
            drop(answer);
            return none(min, player, target, source, game);
        }
        if (answer.values.isEmpty()) {
            pending.remove(answer);
            return none(min, player, target, source, game);
        }
        List<UUID> taken = take(answer.values, possible, max, game);
        if (taken.isEmpty() && min <= 0) {
            answer.begun = true; // none of these, so what is named is for a later question of this step
            return false;
        }
        if (taken.size() < Math.max(min, 1)) {
            throw new Outcomes.Refused("XMage does not offer " + player.getName() + " the choice of "
                    + answer.values.peek() + ": " + question(player, target.getMessage(game), source));
        }
        drop(answer);
        return add(taken, target, source, game);
    }

    boolean divide(ScriptedPlayer player, TargetAmount target, Ability source, Game game) {
        target.prepareAmount(source, game);
        Set<UUID> possible = new LinkedHashSet<>(target.possibleTargets(player.getId(), source, game));
        if (player.getName().equals(actor) && targets.size() == 1) {
            List<UUID> taken = take(targets, possible, 1, game);
            if (taken.isEmpty()) {
                throw new Outcomes.Refused("XMage does not allow the target " + targets.peek());
            }
            target.addTarget(taken.get(0), target.getAmountRemaining(), source, game);
            return true;
        }
        throw unanswered(player, target.getMessage(game), source);
    }

    boolean yes(ScriptedPlayer player, String message, Ability source, Game game) {
        if (!begun) {
            return false;
        }
        // new targets for a copy: XMage asks for the copied spell, not for the one that copied it
        retargeting = message != null && message.startsWith("Change this");
        Pending answer = next(player, source);
        if (answer == null) {
            return false; // nobody does what the script does not say
        }
        Object head = answer.values.peek();
        if (head == null) {
            pending.remove(answer);
            return false;
        }
        if (head.equals("yes") || head.equals("no")) {
            answer.values.poll();
            drop(answer);
            return head.equals("yes");
        }
        return true; // "you may …": the answer says what, so yes, and is kept for that question
    }

    boolean word(ScriptedPlayer player, Choice choice, Game game) {
        List<String> keys = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        if (choice.isKeyChoice()) {
            choice.getKeyChoices().forEach((key, text) -> {
                keys.add(key);
                texts.add(text);
            });
        } else {
            keys.addAll(choice.getChoices());
            texts.addAll(choice.getChoices());
        }
        int chosen = texts.size() == 1 ? 0 : -1;
        Pending answer = begun ? next(player, null) : null;
        if (answer != null && !answer.values.isEmpty()) {
            String word = String.valueOf(answer.values.peek());
            for (int i = 0; i < texts.size(); i++) {
                if (word.equalsIgnoreCase(keys.get(i)) || word.equalsIgnoreCase(texts.get(i))) {
                    chosen = i;
                }
            }
            if (chosen < 0) {
                throw new Outcomes.Refused("XMage does not offer " + player.getName() + " the choice of "
                        + word + ": " + choice.getMessage());
            }
            answer.values.poll();
            drop(answer);
        }
        if (chosen < 0) {
            throw unanswered(player, choice.getMessage(), null);
        }
        if (choice.isKeyChoice()) {
            choice.setChoiceByKey(keys.get(chosen));
        } else {
            choice.setChoice(keys.get(chosen));
        }
        return true;
    }

    int x(ScriptedPlayer player, int min, int max, String message, Ability source) {
        if (player.getName().equals(actor) && x != null) {
            if (x < min || x > max) {
                throw new Outcomes.Refused("XMage does not allow X to be " + x);
            }
            return x;
        }
        return number(player, min, max, message, source);
    }

    int number(ScriptedPlayer player, int min, int max, String message, Ability source) {
        if (min == max) {
            return min;
        }
        Pending answer = next(player, source);
        if (answer == null || !(answer.values.peek() instanceof Number)) {
            throw unanswered(player, message, source);
        }
        int value = ((Number) answer.values.poll()).intValue();
        drop(answer);
        if (value < min || value > max) {
            throw new Outcomes.Refused("XMage does not offer " + player.getName() + " the number " + value);
        }
        return value;
    }

    Mode mode(ScriptedPlayer player, Modes all, Ability source, Game game) {
        int already = all.getSelectedModes().size();
        List<Mode> available = all.getAvailableModes(source, game);
        Integer number = null;
        if (player.getName().equals(actor) && !modes.isEmpty()) {
            if (already >= modes.size()) {
                return null;
            }
            number = ((Number) modes.get(already)).intValue();
        } else {
            Pending answer = next(player, source);
            if (answer != null && answer.values.peek() instanceof Number) {
                number = ((Number) answer.values.poll()).intValue();
                drop(answer);
            }
        }
        if (number == null) {
            if (available.size() == 1 && already == 0) {
                return available.get(0);
            }
            if (already >= all.getMinModes()) {
                return null;
            }
            throw unanswered(player, "which mode", source);
        }
        List<Mode> printed = new ArrayList<>(all.values());
        if (number < 1 || number > printed.size() || !available.contains(printed.get(number - 1))) {
            throw new Outcomes.Refused("XMage does not offer mode " + number);
        }
        return printed.get(number - 1);
    }

    /** Which of several triggered abilities goes on the stack first; the order that XMage has if nobody says. */
    TriggeredAbility trigger(ScriptedPlayer player, List<TriggeredAbility> abilities, Game game) {
        Pending answer = next(player, null);
        if (answer != null && answer.by == null && answer.values.peek() != null) {
            for (TriggeredAbility ability : abilities) {
                if (ids.is(String.valueOf(answer.values.peek()), ability.getSourceId())) {
                    answer.values.poll();
                    answer.isOrder = true; // the last of them needs no question
                    drop(answer);
                    return ability;
                }
            }
        }
        return abilities.get(0);
    }

    int replacement(ScriptedPlayer player, Map<String, String> effects, Map<String, MageObject> objects, Game game) {
        List<String> keys = new ArrayList<>(effects.keySet());
        if (new HashSet<>(effects.values()).size() <= 1) {
            return 0;
        }
        Pending answer = begun ? next(player, null) : null;
        if (answer != null && answer.values.peek() != null) {
            for (int i = 0; i < keys.size(); i++) {
                MageObject object = objects.get(keys.get(i));
                if (object != null && ids.is(String.valueOf(answer.values.peek()), object.getId())) {
                    answer.values.poll();
                    drop(answer);
                    return i;
                }
            }
        }
        throw unanswered(player, "which replacement effect first: " + effects.values(), null);
    }

    Outcomes.Unsupported unanswered(ScriptedPlayer player, String message, Ability source) {
        return new Outcomes.Unsupported(begun ? "step" : "given", "unanswered question",
                "nothing says how to answer: " + question(player, message, source));
    }

    private String question(ScriptedPlayer player, String message, Ability source) {
        String by = source == null ? null : ids.name(source.getSourceId());
        String text = message == null ? "something" : message.replaceAll("<[^>]*>", "");
        return "XMage asks " + player.getName() + (by == null ? "" : " for " + by) + ": " + text;
    }

    private Pending next(ScriptedPlayer player, Ability source) {
        UUID asking = source == null ? null : source.getSourceId();
        Pending anyway = null;
        for (Pending each : pending) {
            if (!each.player.equals(player.getName()) || each.isOrder && asking != null) {
                continue;
            }
            if (each.by != null && asking != null && ids.is(each.by, asking)) {
                return each;
            }
            if (anyway == null && (each.by == null || asking == null || retargeting)) {
                anyway = each;
            }
        }
        return anyway;
    }

    private void drop(Pending answer) {
        answer.begun = true;
        if (answer.values.isEmpty()) {
            pending.remove(answer);
        }
    }

    private boolean none(int min, ScriptedPlayer player, Target target, Ability source, Game game) {
        if (min > 0) {
            throw new Outcomes.Refused("XMage demands a choice: " + question(player, target.getMessage(game), source));
        }
        return false;
    }

    private List<UUID> take(Deque<?> names, Set<UUID> possible, int max, Game game) {
        List<UUID> taken = new ArrayList<>();
        while (!names.isEmpty() && taken.size() < max) {
            Set<UUID> candidates = ids.candidates(String.valueOf(names.peek()), game);
            candidates.retainAll(possible);
            candidates.removeAll(taken);
            if (candidates.isEmpty()) {
                break;
            }
            taken.add(candidates.iterator().next());
            names.poll();
        }
        return taken;
    }

    private static boolean add(Iterable<UUID> chosen, Target target, Ability source, Game game) {
        boolean any = false;
        for (UUID id : chosen) {
            if (target.isNotTarget()) {
                target.add(id, game);
            } else {
                target.addTarget(id, source, game);
            }
            any = true;
        }
        return any;
    }
}
