import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import mage.Mana;
import mage.abilities.Abilities;
import mage.abilities.Ability;
import mage.abilities.ActivatedAbility;
import mage.abilities.PlayLandAbility;
import mage.abilities.SpecialAction;
import mage.abilities.SpellAbility;
import mage.abilities.common.TurnFaceUpAbility;
import mage.cards.Card;
import mage.cards.DoubleFacedCardHalf;
import mage.constants.PhaseStep;
import mage.constants.SpellAbilityCastMode;
import mage.constants.Zone;
import mage.game.Game;
import mage.game.combat.CombatGroup;
import mage.game.permanent.Permanent;
import mage.game.stack.Spell;
import mage.game.stack.StackObject;

/**
 * The steps of the scenario, carried out from within XMage's game: XMage asks a player with priority
 * what to do, and the script acts, looks, or passes until its step is done.
 */
final class Script {

    private static final int MOST_PRIORITIES = 5000;

    private final Ids ids;
    private final List<Map<String, Object>> steps;
    private final Answers answers;
    private final Looks looks;
    private final Map<String, Mana> reserves = new HashMap<>();
    private final List<Map<String, Object>> observations = new ArrayList<>();
    private Table table;
    private Game game;
    private boolean begun;
    private int firstTurn;
    private int firstNumber;
    private int priorities;

    private int cursor;
    private int entered; // how often a step of the turn was entered so far
    private int turnSeen = -1;
    private PhaseStep stepSeen;

    // how far the current step is
    private boolean started;
    private int startTurn;
    private int startEntered;
    private int startStack;
    private UUID startTop;
    private boolean declared;
    private final List<UUID> asked = new ArrayList<>();

    Script(Ids ids, List<Map<String, Object>> steps) {
        this.ids = ids;
        this.steps = steps;
        this.answers = new Answers(ids);
        this.looks = new Looks(ids, this);
    }

    void playAt(Table table, Game game) {
        this.table = table;
        this.game = game;
    }

    boolean isOf(Game other) {
        return other == game;
    }

    Answers answers() {
        return answers;
    }

    List<Map<String, Object>> observations() {
        return observations;
    }

    /** The number of the current step, counted from 1. */
    int step() {
        return cursor + 1;
    }

    /** What a player has left to spend; null for as much as it takes. */
    Mana reserve(String player) {
        return reserves.get(player);
    }

    void setReserve(String player, Mana mana) {
        reserves.put(player, mana);
    }

    int turnNumber(Game game) {
        return game.getTurnNum() - firstTurn + firstNumber;
    }

    /** A player has priority. Returns true when they did something, false when they pass. */
    boolean hasPriority(ScriptedPlayer player, Game game) {
        if (++priorities > MOST_PRIORITIES) {
            throw new Outcomes.Endless("XMage gave priority " + MOST_PRIORITIES + " times without coming to an end");
        }
        if (!begun) {
            if (!table.isTime(player, game)) {
                return false;
            }
            begun = true;
            firstTurn = game.getTurnNum();
            firstNumber = table.lay(game);
            return true;
        }
        if (game.getTurnNum() != turnSeen || game.getTurnStepType() != stepSeen) {
            turnSeen = game.getTurnNum();
            stepSeen = game.getTurnStepType();
            entered++;
        }
        if (cursor == 0 && !started) {
            looks.forget(game);
        }
        while (true) {
            if (cursor == steps.size()) {
                throw new Outcomes.Finished();
            }
            Map<String, Object> step = steps.get(cursor);
            if (step.get("do").equals("look")) {
                observations.add(looks.observe(step, game));
                done();
                continue;
            }
            if (!started) {
                start(step, game);
            }
            Move move = carryOut(step, player, game);
            if (move == Move.PASS) {
                return false;
            }
            done();
            if (move == Move.ACTED) {
                return true;
            }
        }
    }

    /** The game is over; what is left can only be looked at. */
    void afterTheGame(Game game) {
        if (!begun) {
            throw new Outcomes.Unsupported("given", "turn", "XMage's turn has no such step with priority");
        }
        for (; cursor < steps.size(); cursor++) {
            Map<String, Object> step = steps.get(cursor);
            if (!step.get("do").equals("look")) {
                boolean waits = started && (step.get("do").equals("resolve") || step.get("do").equals("advance"));
                throw new Outcomes.Refused(waits ? "the game ended in this step" : "the game is over");
            }
            observations.add(looks.observe(step, game));
        }
    }

    private enum Move { PASS, ACTED, DONE }

    private void start(Map<String, Object> step, Game game) {
        started = true;
        declared = false;
        asked.clear();
        startTurn = game.getTurnNum();
        startEntered = entered;
        startStack = game.getStack().size();
        startTop = game.getStack().isEmpty() ? null : game.getStack().iterator().next().getId();
        answers.begin(step);
    }

    private void done() {
        answers.checkUsedUp();
        cursor++;
        started = false;
    }

    /** A resolving spell ended the turn: nobody gets priority until the next one. */
    void turnEnds(Game game) {
        Map<String, Object> step = current("resolve");
        if (step == null || !game.getStack().isEmpty()) {
            return;
        }
        done();
        while (cursor < steps.size() && steps.get(cursor).get("do").equals("look")) {
            observations.add(looks.observe(steps.get(cursor), game));
            done();
        }
        if (cursor == steps.size()) {
            throw new Outcomes.Finished();
        }
        if (!steps.get(cursor).get("do").equals("advance")) {
            throw new Outcomes.Refused("the turn ends, and nobody has priority in XMage");
        }
        start(steps.get(cursor), game);
    }

    private Move carryOut(Map<String, Object> step, ScriptedPlayer player, Game game) {
        switch ((String) step.get("do")) {
            case "cast":
            case "activate":
            case "play":
            case "turn face up":
                return act(step, player, game);
            case "resolve":
                return resolve(step, game);
            case "advance":
                return advance(step, game);
            case "attack":
                return attackers(step, game);
            case "block":
                return blockers(step, game);
            case "concede":
                game.setConcedingPlayer(ids.player((String) step.get("player")));
                return Move.ACTED;
            case "find":
                find(step, game);
                return Move.DONE;
            case "directive":
                table.direct(step, game);
                return Move.ACTED;
            default:
                throw new Outcomes.Unsupported("step", (String) step.get("do"), "this adapter has no such step");
        }
    }

    // --- passing ---

    private Move resolve(Map<String, Object> step, Game game) {
        if (step.get("what").equals("all")) {
            return game.getStack().isEmpty() ? Move.DONE : Move.PASS;
        }
        if (startTop == null) {
            throw new Outcomes.Refused("the stack is empty");
        }
        return game.getStack().getStackObject(startTop) == null ? Move.DONE : Move.PASS;
    }

    private Move advance(Map<String, Object> step, Game game) {
        if (game.getTurnNum() > startTurn + 4 * game.getPlayers().size()) {
            throw new Outcomes.Refused("XMage's turns do not come to this step");
        }
        Object of = step.get("of");
        boolean there = entered > startEntered
                && game.getTurnStepType() == Steps.step((String) step.get("to"))
                && (of == null || ids.is((String) of, game.getActivePlayerId()));
        return there ? Move.DONE : Move.PASS;
    }

    // --- combat ---

    private Move attackers(Map<String, Object> step, Game game) {
        PhaseStep now = game.getTurnStepType();
        if (now == PhaseStep.DECLARE_ATTACKERS && entered > startEntered) {
            checkAttack((Map<?, ?>) step.get("attackers"), game);
            return Move.DONE;
        }
        if (game.getTurnNum() != startTurn || now.getIndex() >= PhaseStep.DECLARE_ATTACKERS.getIndex()) {
            throw new Outcomes.Refused("XMage had no declare attackers step any more");
        }
        return Move.PASS;
    }

    /** Those attack whom the script names, and nobody else: XMage declares by itself who has to. */
    private void checkAttack(Map<?, ?> wanted, Game game) {
        wanted.forEach((attacker, defender) -> {
            Permanent permanent = ids.permanent((String) attacker, game);
            UUID attacked = permanent == null ? null : game.getCombat().getDefenderId(permanent.getId());
            if (attacked == null || !ids.is((String) defender, attacked)) {
                throw new Outcomes.Refused("in XMage " + attacker + " does not attack " + defender);
            }
        });
        for (UUID attacker : game.getCombat().getAttackers()) {
            String name = ids.name(attacker);
            if (name == null || !wanted.containsKey(name)) {
                throw new Outcomes.Refused("in XMage " + (name == null ? "something else" : name) + " attacks too");
            }
        }
    }

    /** XMage asks for attackers. */
    void attack(ScriptedPlayer player, Game game) {
        Map<String, Object> step = current("attack");
        if (step == null) {
            return;
        }
        if (declared) {
            throw new Outcomes.Refused("XMage does not accept this attack");
        }
        declared = true;
        ((Map<?, ?>) step.get("attackers")).forEach((name, defender) -> {
            Permanent attacker = ids.permanent((String) name, game);
            UUID attacked = defender(defender, game);
            if (attacker == null || attacked == null || !attacker.isControlledBy(player.getId())
                    || !attacker.canAttack(attacked, game)) {
                throw new Outcomes.Refused("XMage does not let " + name + " attack " + defender);
            }
            if (!attacked.equals(game.getCombat().getDefenderId(attacker.getId()))) {
                player.declareAttacker(attacker.getId(), attacked, game, false);
            }
        });
    }

    private UUID defender(Object name, Game game) {
        if (ids.isObject((String) name)) {
            Permanent permanent = ids.permanent((String) name, game);
            return permanent == null ? null : permanent.getId();
        }
        return ids.player((String) name);
    }

    private Move blockers(Map<String, Object> step, Game game) {
        PhaseStep now = game.getTurnStepType();
        if (now == PhaseStep.DECLARE_BLOCKERS && entered > startEntered) {
            ((Map<?, ?>) step.get("blockers")).forEach((name, attackers) -> {
                Permanent blocker = ids.permanent((String) name, game);
                for (Object attacker : (List<?>) attackers) {
                    Permanent attacking = ids.permanent((String) attacker, game);
                    CombatGroup group = attacking == null ? null : game.getCombat().findGroup(attacking.getId());
                    if (blocker == null || group == null || !group.getBlockers().contains(blocker.getId())) {
                        throw new Outcomes.Refused("in XMage " + name + " does not block " + attacker);
                    }
                }
            });
            return Move.DONE;
        }
        if (game.getTurnNum() != startTurn || now.getIndex() > PhaseStep.DECLARE_BLOCKERS.getIndex()) {
            throw new Outcomes.Refused("XMage had no declare blockers step");
        }
        return Move.PASS;
    }

    /** XMage asks a defending player for blockers. */
    void block(ScriptedPlayer player, Game game, UUID defendingPlayer) {
        Map<String, Object> step = current("block");
        if (step == null) {
            return;
        }
        if (asked.contains(defendingPlayer)) {
            throw new Outcomes.Refused("XMage does not accept this block");
        }
        asked.add(defendingPlayer);
        ((Map<?, ?>) step.get("blockers")).forEach((name, attackers) -> {
            Permanent blocker = ids.permanent((String) name, game);
            if (blocker == null) {
                throw new Outcomes.Refused("XMage does not have " + name + " on the battlefield");
            }
            if (!blocker.isControlledBy(defendingPlayer)) {
                return;
            }
            for (Object attacker : (List<?>) attackers) {
                Permanent attacking = ids.permanent((String) attacker, game);
                CombatGroup group = attacking == null ? null : game.getCombat().findGroup(attacking.getId());
                if (group == null || !group.canBlock(blocker, game)) {
                    throw new Outcomes.Refused("XMage does not let " + name + " block " + attacker);
                }
                player.declareBlocker(defendingPlayer, blocker.getId(), attacking.getId(), game);
            }
        });
    }

    private Map<String, Object> current(String word) {
        if (!begun || cursor >= steps.size() || !started) {
            return null;
        }
        Map<String, Object> step = steps.get(cursor);
        return step.get("do").equals(word) ? step : null;
    }

    // --- acting ---

    private Move act(Map<String, Object> step, ScriptedPlayer player, Game game) {
        if (!player.getName().equals(step.get("player"))) {
            boolean wentOn = entered != startEntered || game.getStack().size() < startStack;
            if (wentOn || !game.getPlayer(ids.player((String) step.get("player"))).canRespond()) {
                throw new Outcomes.Refused(step.get("player") + " does not get priority in XMage");
            }
            return Move.PASS;
        }
        ActivatedAbility ability = ability(step, player, game);
        Set<UUID> before = new HashSet<>();
        game.getStack().forEach(object -> before.add(object.getId()));
        Mana reserve = reserves.get(player.getName());
        Mana kept = reserve == null ? null : reserve.copy();
        answers.acting(step);
        boolean acted = player.activateAbility(ability, game);
        answers.acted();
        if (!acted) {
            if (kept != null) {
                reserves.put(player.getName(), kept);
            }
            throw new Outcomes.Refused("XMage does not carry it out: " + plain(ability.getRule(true)));
        }
        checkTargets(step, before, game);
        for (String left : answers.notPaidWith()) {
            if (!left.equals(step.get("object")) && !left.equals(step.get("player"))) {
                throw new Outcomes.Unsupported("step", "pay with", "XMage did not ask whether to pay with " + left);
            }
        }
        return Move.ACTED;
    }

    /** What was announced must have the targets that the step names, and no others. */
    private void checkTargets(Map<String, Object> step, Set<UUID> before, Game game) {
        List<?> wanted = (List<?>) step.getOrDefault("targets", List.of());
        for (StackObject object : game.getStack()) {
            boolean isIt = !before.contains(object.getId()) && ids.is((String) step.get("object"), object.getSourceId())
                    && (object instanceof Spell) == step.get("do").equals("cast");
            if (isIt) {
                List<String> chosen = looks.targets(object.getStackAbility(), game);
                if (!chosen.equals(wanted)) {
                    throw new Outcomes.Refused("XMage has it target " + chosen);
                }
                return;
            }
        }
        if (!wanted.isEmpty()) {
            throw new Outcomes.Refused("XMage has it target nothing");
        }
    }

    private ActivatedAbility ability(Map<String, Object> step, ScriptedPlayer player, Game game) {
        String name = (String) step.get("object");
        List<ActivatedAbility> playable = player.getPlayable(game, true, Zone.ALL, false);
        playable.removeIf(ability -> !ids.is(name, ability.getSourceId()));
        ActivatedAbility found = null;
        switch ((String) step.get("do")) {
            case "cast":
                found = spell(step, playable, game);
                break;
            case "play":
                for (ActivatedAbility ability : playable) {
                    if (ability instanceof PlayLandAbility) {
                        found = ability;
                    }
                }
                break;
            case "turn face up":
                for (ActivatedAbility ability : playable) {
                    if (ability instanceof TurnFaceUpAbility) {
                        found = ability;
                    }
                }
                break;
            default:
                found = activated(step, playable, player, game);
        }
        if (found == null) {
            throw new Outcomes.Refused(
                    "XMage does not let " + player.getName() + " " + step.get("do") + " " + name + " now");
        }
        return found.copy();
    }

    private ActivatedAbility spell(Map<String, Object> step, List<ActivatedAbility> playable, Game game) {
        String via = (String) step.getOrDefault("via", "flash");
        boolean back = "back".equals(step.get("face"));
        SpellAbilityCastMode mode = via.equals("flash") ? SpellAbilityCastMode.NORMAL : castMode(via);
        for (ActivatedAbility ability : playable) {
            if (!(ability instanceof SpellAbility)) {
                continue;
            }
            Card card = game.getCard(ability.getSourceId());
            boolean isBack = card instanceof DoubleFacedCardHalf && ((DoubleFacedCardHalf) card).isBackSide();
            if (isBack == back && ((SpellAbility) ability).getSpellAbilityCastMode() == mode) {
                return ability;
            }
        }
        return null;
    }

    private static SpellAbilityCastMode castMode(String via) {
        try {
            return SpellAbilityCastMode.valueOf(via.toUpperCase().replace(' ', '_'));
        } catch (IllegalArgumentException none) {
            throw new Outcomes.Unsupported("step", "via " + via, "XMage has no way of casting of this name");
        }
    }

    private ActivatedAbility activated(Map<String, Object> step, List<ActivatedAbility> playable,
            ScriptedPlayer player, Game game) {
        String name = (String) step.get("object");
        Permanent permanent = ids.permanent(name, game);
        Card card = permanent == null ? ids.card(name, game) : permanent;
        if (card == null) {
            return null;
        }
        int number = ((Number) step.getOrDefault("ability", 1L)).intValue();
        for (Ability ability : (Abilities<Ability>) card.getAbilities(game)) {
            boolean counts = ability instanceof ActivatedAbility && !(ability instanceof SpellAbility)
                    && !(ability instanceof PlayLandAbility) && !(ability instanceof SpecialAction);
            if (!counts || --number > 0) {
                continue;
            }
            ActivatedAbility wanted = (ActivatedAbility) ability;
            if (wanted.isManaActivatedAbility()) {
                boolean can = (permanent == null || permanent.canUseActivatedAbilities(game))
                        && wanted.canActivate(player.getId(), game).canActivate();
                return can ? wanted : null;
            }
            for (ActivatedAbility each : playable) {
                if (each.getOriginalId().equals(wanted.getOriginalId())) {
                    return each;
                }
            }
            return null;
        }
        return null;
    }

    private void find(Map<String, Object> step, Game game) {
        String name = (String) step.get("name");
        Object zone = step.get("zone");
        Object controller = step.get("controller");
        List<Permanent> permanents = new ArrayList<>(game.getBattlefield().getAllPermanents());
        permanents.sort(Comparator.comparingInt(Permanent::getCreateOrder));
        if (zone == null || zone.equals("battlefield")) {
            for (Permanent permanent : permanents) {
                boolean fits = permanent.getName().equals(name) && ids.name(permanent.getId()) == null
                        && (controller == null || ids.is((String) controller, permanent.getControllerId()));
                if (fits) {
                    ids.add((String) step.get("id"), permanent.getId());
                    return;
                }
            }
        }
        if (zone == null || zone.equals("stack")) {
            List<StackObject> stack = new ArrayList<>(game.getStack());
            Collections.reverse(stack);
            for (StackObject object : stack) {
                boolean fits = object instanceof Spell && object.isCopy() && object.getName().equals(name)
                        && ids.name(object.getId()) == null
                        && (controller == null || ids.is((String) controller, object.getControllerId()));
                if (fits) {
                    ids.add((String) step.get("id"), object.getId());
                    return;
                }
            }
        }
        if (zone != null && !zone.equals("battlefield") && !zone.equals("stack")) {
            throw new Outcomes.Unsupported("step", "find", "this adapter finds objects on the battlefield and stack only");
        }
        throw new Outcomes.Refused("XMage has no " + name + " without an id");
    }

    static String plain(String rule) {
        return rule == null ? "" : rule.replaceAll("<[^>]*>", "");
    }
}
