import CommandSupport
import LinkedDataKit

extension Verification {
    /// The option to give for a term that only a vocabulary gives a meaning to; nil where no check failed for one.
    var vocabularyHint: Outline? {
        refusal != nil && meetsUndefinedTerm
            ? "the terms of a vocabulary (@vocab) that you know are accepted with --vocabulary" : nil
    }

    /// Indicates that a check failed for a term without a definition, here or in a part.
    private var meetsUndefinedTerm: Bool {
        let undefinedTerm = Reason(LinkedDataError.Code.undefinedTerm.description)
        let hasFailed = checks.contains { result in
            if case .failed(let reason, _) = result.outcome { reason == undefinedTerm } else { false }
        }
        return hasFailed || parts.contains { $0.verification.meetsUndefinedTerm }
    }
}
