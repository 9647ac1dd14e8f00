import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import mage.MageObject;
import mage.Mana;
import mage.abilities.Ability;
import mage.abilities.Mode;
import mage.abilities.Modes;
import mage.abilities.TriggeredAbility;
import mage.abilities.costs.mana.GenericManaCost;
import mage.abilities.costs.mana.ManaCost;
import mage.abilities.costs.mana.ManaCosts;
import mage.abilities.mana.ManaOptions;
import mage.cards.Card;
import mage.cards.Cards;
import mage.choices.Choice;
import mage.constants.ManaType;
import mage.constants.MultiAmountType;
import mage.constants.Outcome;
import mage.constants.RangeOfInfluence;
import mage.constants.Zone;
import mage.game.Game;
import mage.game.permanent.Permanent;
import mage.player.ai.ComputerPlayer;
import mage.target.Target;
import mage.target.TargetAmount;
import mage.target.TargetCard;
import mage.util.MultiAmountMessage;

/**
 * A player who does what the script says and nothing of their own accord. XMage copies players all
 * the time; the script is one and the same for all copies.
 */
final class ScriptedPlayer extends ComputerPlayer {

    private static final ManaType[] COLORS = {
        ManaType.WHITE, ManaType.BLUE, ManaType.BLACK, ManaType.RED, ManaType.GREEN, ManaType.COLORLESS,
    };
    private static final int PLENTY = 30;

    private final Script script;

    ScriptedPlayer(String name, Script script) {
        super(name, RangeOfInfluence.ALL);
        this.script = script;
        setTestMode(true);
    }

    private ScriptedPlayer(ScriptedPlayer player) {
        super(player);
        this.script = player.script;
    }

    @Override
    public ScriptedPlayer copy() {
        return new ScriptedPlayer(this);
    }

    @Override
    public boolean getStrictChooseMode() {
        return true; // no choice is made for the player, even where there is but one target
    }

    @Override
    public boolean priority(Game game) {
        if (script.hasPriority(this, game)) {
            return true;
        }
        pass(game);
        return false;
    }

    @Override
    public boolean chooseMulligan(Game game) {
        return false;
    }

    // --- mana: as much as it takes, or what the scenario names ---

    @Override
    public ManaOptions getManaAvailable(Game game) {
        ManaOptions options = super.getManaAvailable(game);
        Mana reserve = script.reserve(getName());
        options.addMana(reserve == null
                ? new Mana(PLENTY, PLENTY, PLENTY, PLENTY, PLENTY, 0, 0, PLENTY)
                : reserve.copy());
        return options;
    }

    @Override
    public boolean playMana(Ability ability, ManaCost unpaid, String prompt, Game game) {
        Permanent named = script.isOf(game) ? script.answers().manaSource(this, game) : null;
        if (named != null) {
            return activateAbility(named.getAbilities(game)
                    .getAvailableActivatedManaAbilities(Zone.BATTLEFIELD, getId(), game).get(0), game);
        }
        Mana reserve = script.reserve(getName());
        ManaType type = manaFor(unpaid, reserve);
        if (type == null) {
            return super.playMana(ability, unpaid, prompt, game);
        }
        Mana one = new Mana(type);
        if (reserve != null) {
            reserve.subtract(one);
        }
        getManaPool().addMana(one, game, ability);
        return true;
    }

    /** Which mana to spend next: for what has a color first, for the rest what is of least use. */
    private static ManaType manaFor(ManaCost unpaid, Mana reserve) {
        List<? extends ManaCost> parts =
                unpaid instanceof ManaCosts ? (ManaCosts<? extends ManaCost>) unpaid : List.of(unpaid);
        for (boolean generic : new boolean[] {false, true}) {
            for (ManaCost part : parts) {
                if (part.isPaid() || part instanceof GenericManaCost != generic) {
                    continue;
                }
                for (int i = 0; i < COLORS.length; i++) {
                    ManaType type = COLORS[generic ? COLORS.length - 1 - i : i];
                    boolean there = reserve == null || reserve.get(type) > 0;
                    if (there && part.testPay(new Mana(type))) {
                        return type;
                    }
                }
            }
        }
        return null;
    }

    // --- choices ---

    @Override
    public boolean choose(Outcome outcome, Target target, Ability source, Game game) {
        return script.isOf(game)
                ? script.answers().pick(this, target, source, null, game)
                : super.choose(outcome, target, source, game);
    }

    @Override
    public boolean choose(Outcome outcome, Target target, Ability source, Game game,
            Map<String, Serializable> options) {
        return script.isOf(game)
                ? script.answers().pick(this, target, source, null, game)
                : super.choose(outcome, target, source, game, options);
    }

    @Override
    public boolean choose(Outcome outcome, Cards cards, TargetCard target, Ability source, Game game) {
        return script.isOf(game)
                ? script.answers().pick(this, target, source, cards, game)
                : super.choose(outcome, cards, target, source, game);
    }

    @Override
    public boolean chooseTarget(Outcome outcome, Target target, Ability source, Game game) {
        return script.isOf(game)
                ? script.answers().pick(this, target, source, null, game)
                : super.chooseTarget(outcome, target, source, game);
    }

    @Override
    public boolean chooseTarget(Outcome outcome, Cards cards, TargetCard target, Ability source, Game game) {
        return script.isOf(game)
                ? script.answers().pick(this, target, source, cards, game)
                : super.chooseTarget(outcome, cards, target, source, game);
    }

    @Override
    public boolean chooseTargetAmount(Outcome outcome, TargetAmount target, Ability source, Game game) {
        return script.isOf(game)
                ? script.answers().divide(this, target, source, game)
                : super.chooseTargetAmount(outcome, target, source, game);
    }

    @Override
    public boolean chooseUse(Outcome outcome, String message, Ability source, Game game) {
        return chooseUse(outcome, message, null, null, null, source, game);
    }

    @Override
    public boolean chooseUse(Outcome outcome, String message, String second, String yes, String no,
            Ability source, Game game) {
        return script.isOf(game)
                ? script.answers().yes(this, message, source, game)
                : super.chooseUse(outcome, message, second, yes, no, source, game);
    }

    @Override
    public boolean choose(Outcome outcome, Choice choice, Game game) {
        return script.isOf(game)
                ? script.answers().word(this, choice, game)
                : super.choose(outcome, choice, game);
    }

    @Override
    public boolean choosePile(Outcome outcome, String message, List<? extends Card> one,
            List<? extends Card> two, Game game) {
        throw script.answers().unanswered(this, "which pile", null);
    }

    @Override
    public int announceX(int min, int max, String message, Game game, Ability source, boolean isManaPay) {
        return script.answers().x(this, min, max, message, source);
    }

    @Override
    public int getAmount(int min, int max, String message, Ability source, Game game) {
        return script.answers().number(this, min, max, message, source);
    }

    @Override
    public List<Integer> getMultiAmountWithIndividualConstraints(Outcome outcome,
            List<MultiAmountMessage> messages, int min, int max, MultiAmountType type, Game game) {
        throw script.answers().unanswered(this, "several amounts", null);
    }

    @Override
    public Mode chooseMode(Modes modes, Ability source, Game game) {
        return script.answers().mode(this, modes, source, game);
    }

    @Override
    public TriggeredAbility chooseTriggeredAbility(List<TriggeredAbility> abilities, Game game) {
        return script.answers().trigger(this, abilities, game);
    }

    @Override
    public int chooseReplacementEffect(Map<String, String> effects, Map<String, MageObject> objects, Game game) {
        return script.answers().replacement(this, effects, objects, game);
    }

    @Override
    public void selectAttackers(Game game, UUID attackingPlayer) {
        script.attack(this, game);
    }

    @Override
    public void selectBlockers(Ability source, Game game, UUID defendingPlayer) {
        script.block(this, game, defendingPlayer);
    }
}
