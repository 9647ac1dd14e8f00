import mage.abilities.TriggeredAbility;
import mage.constants.MultiplayerAttackOption;
import mage.constants.RangeOfInfluence;
import mage.game.FreeForAll;
import mage.game.events.GameEvent;
import mage.game.mulligan.MulliganType;

/** As Duel, for more than two players. */
final class Melee extends FreeForAll {

    private final Script script;

    Melee(int players, Script script) {
        super(MultiplayerAttackOption.MULTIPLE, RangeOfInfluence.ALL,
                MulliganType.GAME_DEFAULT.getMulligan(0), 20, 0);
        this.script = script;
        setNumPlayers(players);
    }

    private Melee(Melee game) {
        super(game);
        this.script = game.script;
    }

    @Override
    public Melee copy() {
        return new Melee(this);
    }

    @Override
    public void setDaytime(boolean day) {
        Telling.becoming(this, day);
        super.setDaytime(day);
    }

    @Override
    public void addTriggeredAbility(TriggeredAbility ability, GameEvent event) {
        Telling.triggering(this, ability);
        super.addTriggeredAbility(ability, event);
    }

    @Override
    public void fireEvent(GameEvent event) {
        EventLog.of(this).happens(event, this);
        super.fireEvent(event);
    }

    @Override
    public void addSimultaneousEvent(GameEvent event) {
        EventLog.of(this).happens(event, this);
        super.addSimultaneousEvent(event);
    }

    @Override
    public boolean replaceEvent(GameEvent event) {
        Telling.transforming(this, event);
        boolean replaced = super.replaceEvent(event);
        if (!replaced) {
            Telling.turningUp(this, event);
        }
        return replaced;
    }

    @Override
    protected void resolve() {
        super.resolve();
        if (getTurn().isEndTurnRequested()) {
            script.turnEnds(this);
        }
    }
}
