import VerificationCore

/// The work that the contexts of a document take, as ``JSONLDLimits`` bounds it.
struct ContextCost: Sendable {
    /// The number of contexts.
    var contexts = 0
    /// The number of terms in each of these contexts, summed up.
    var terms = 0
    /// The bytes of IRIs that terms are defined as.
    var text = 0
    /// The length of the longest of them.
    var iriLength = 0

    static func + (left: ContextCost, right: ContextCost) -> ContextCost {
        ContextCost(
            contexts: left.contexts + right.contexts,
            terms: left.terms + right.terms,
            text: left.text + right.text,
            iriLength: max(left.iriLength, right.iriLength)
        )
    }

    static func += (left: inout ContextCost, right: ContextCost) { left = left + right }

    func check(_ limits: JSONLDLimits) throws(LinkedDataError) {
        guard contexts <= limits.contexts else {
            throw LinkedDataError(.limitExceeded, "more than \(limits.contexts) contexts")
        }
        guard terms <= limits.terms else {
            throw LinkedDataError(.limitExceeded, "more than \(limits.terms) terms in contexts")
        }
        guard iriLength <= limits.iriLength else {
            throw LinkedDataError(.limitExceeded, "an IRI of \(iriLength) bytes, \(limits.iriLength) allowed")
        }
        guard text <= limits.text else {
            throw LinkedDataError(.limitExceeded, "IRIs and language tags of more than \(limits.text) bytes")
        }
    }
}
