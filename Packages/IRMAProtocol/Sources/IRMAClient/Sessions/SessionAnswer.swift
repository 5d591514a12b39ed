import IRMAMessages
import IdemixCore

/// The message that answers a request.
struct SessionAnswer: Sendable {
    /// The state that the wallet needs when the server's answer comes.
    enum Result: Sendable {
        case disclosure
        case signature(SignedMessage)
        case issuance(PendingIdemixIssuance)
    }

    /// The path below the session's URL.
    let path: String
    let body: [UInt8]
    let result: Result
}

extension PreparedDisclosures.Kind {
    /// The kind of a disclosure.
    init(_ disclosure: DisclosureSelection.Disclosure) {
        self.init(
            hash: disclosure.hash,
            disclosed: disclosure.disclosed,
            provesNonRevocation: disclosure.provesNonRevocation
        )
    }
}
