import CommandSupport
import LinkedDataKit

extension Verification {
    /// The option to give for a term that only a vocabulary gives a meaning to; nil where no check failed for one.
    var vocabularyHint: Outline? {
        let undefinedTerm = Reason(LinkedDataError.Code.undefinedTerm.description)
        return refusal != nil && hasFailure(where: { reason, _ in reason == undefinedTerm })
            ? "the terms of a vocabulary (@vocab) that you know are accepted with --vocabulary" : nil
    }

    /// The option to give for a known deviation of deployed wallets; nil where no check failed for one.
    var toleranceHint: Outline? {
        // The code of the error is not that of the check, whose message names the tolerance.
        refusal != nil && hasFailure(where: { _, message in message.contains("not tolerated: ") })
            ? "the known deviations of deployed wallets are read with --tolerant" : nil
    }

    /// Returns `true` if a check failed for a reason and with a finding, here or in a part.
    private func hasFailure(where isSought: (Reason, String) -> Bool) -> Bool {
        let isHere = checks.contains { result in
            guard case .failed(let reason, let message) = result.outcome else { return false }
            return isSought(reason, message)
        }
        return isHere || parts.contains { $0.verification.hasFailure(where: isSought) }
    }
}
