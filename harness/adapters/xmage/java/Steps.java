import java.util.LinkedHashMap;
import java.util.Map;
import mage.constants.PhaseStep;

/** The steps of a turn, as the protocol and as XMage call them. */
final class Steps {

    private static final Map<String, PhaseStep> BY_NAME = new LinkedHashMap<>();

    static {
        BY_NAME.put("untap", PhaseStep.UNTAP);
        BY_NAME.put("upkeep", PhaseStep.UPKEEP);
        BY_NAME.put("draw", PhaseStep.DRAW);
        BY_NAME.put("precombat main", PhaseStep.PRECOMBAT_MAIN);
        BY_NAME.put("beginning of combat", PhaseStep.BEGIN_COMBAT);
        BY_NAME.put("declare attackers", PhaseStep.DECLARE_ATTACKERS);
        BY_NAME.put("declare blockers", PhaseStep.DECLARE_BLOCKERS);
        BY_NAME.put("first-strike damage", PhaseStep.FIRST_COMBAT_DAMAGE);
        BY_NAME.put("combat damage", PhaseStep.COMBAT_DAMAGE);
        BY_NAME.put("end of combat", PhaseStep.END_COMBAT);
        BY_NAME.put("postcombat main", PhaseStep.POSTCOMBAT_MAIN);
        BY_NAME.put("end", PhaseStep.END_TURN);
        BY_NAME.put("cleanup", PhaseStep.CLEANUP);
    }

    private Steps() {
    }

    static PhaseStep step(String name) {
        PhaseStep step = BY_NAME.get(name);
        if (step == null) {
            throw new Outcomes.Unsupported("step", name, "XMage has no step of this name");
        }
        return step;
    }

    static String name(PhaseStep step) {
        for (Map.Entry<String, PhaseStep> entry : BY_NAME.entrySet()) {
            if (entry.getValue() == step) {
                return entry.getKey();
            }
        }
        return null;
    }
}
