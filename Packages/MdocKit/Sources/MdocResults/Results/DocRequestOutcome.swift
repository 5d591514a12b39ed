public import MdocKit
public import VerificationCore

/// The outcome of one document request.
public struct DocRequestOutcome: Sendable {
    /// A document that answers it.
    public struct Answer: Sendable {
        /// The outcome of the document.
        public enum Content: Sendable {
            /// It is verified, and holds this.
            case verified(ItemsOutcome)
            /// It is refused; what it holds is not looked at.
            case refused(Refusal)
        }

        /// The document's place in the response, counted from 0.
        public let documentIndex: Int
        /// The outcome of the document.
        public let content: Content

        /// The document's items, if it is verified.
        public var items: ItemsOutcome? {
            guard case .verified(let items) = content else { return nil }
            return items
        }
    }

    /// The request's place among the document requests, counted from 0.
    public let index: Int
    /// The requested type.
    public let docType: DocType
    /// Indicates that there had to be exactly one answer (second edition, 10.2.5).
    public let uniqueDocSetRequired: Bool
    /// The documents that answer the request, in the order of the response.
    public let answers: [Answer]

    /// Indicates that there are several answers although there had to be one.
    public var breaksUniqueness: Bool { uniqueDocSetRequired && answers.count > 1 }

    /// Indicates that the document request is satisfied.
    ///
    /// A verified document answers it with nothing missing, by an issuer that the request accepts, and is the only
    /// answer where the request demands that.
    public var isSatisfied: Bool {
        !breaksUniqueness && answers.contains { $0.items?.isSatisfied ?? false }
    }
}
