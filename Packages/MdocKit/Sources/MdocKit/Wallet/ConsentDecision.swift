public import CBORKit

/// A holder's decision: the credential for each document request, and the elements to return.
public struct ConsentDecision: Sendable {
    /// One document to return.
    public struct Entry: Sendable {
        /// The document request that it answers, by index from 0.
        public let docRequest: Int
        /// The credential to answer with.
        public let credential: StoredMdoc.ID
        /// The issuer-signed elements that the holder agreed to.
        public let elements: Set<DataElementReference>
        /// Elements that the device vouches for, such as the hash of a transaction; the credential's key authorizations
        /// must cover them.
        public let deviceElements: DataElements<CBOR>

        /// Describes a document to return.
        public init(
            docRequest: Int,
            credential: StoredMdoc.ID,
            elements: some Sequence<DataElementReference>,
            deviceElements: DataElements<CBOR> = DataElements()
        ) {
            self.docRequest = docRequest
            self.credential = credential
            self.elements = Set(elements)
            self.deviceElements = deviceElements
        }
    }

    /// The documents to return.
    public let entries: [Entry]

    /// Creates a decision.
    public init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// The decision to return nothing.
    public static let declined = ConsentDecision([])
}
