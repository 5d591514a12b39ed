/// A relying party of a server, with its demands on responses and its tolerances in reading them.
public struct ServedRelyingParty: Sendable {
    /// The party: its identity towards wallets, and its trusted issuers.
    public var party: RelyingParty
    /// The demands on responses.
    public var policy: PresentationPolicy
    /// The reader of responses; strict by default.
    public var reader: ResponseReader

    /// Describes a party.
    ///
    /// - Parameters:
    ///   - party: The party.
    ///   - policy: The demands on responses; nil for the default ones under the party's profile.
    ///   - reader: The reader of responses.
    public init(_ party: RelyingParty, policy: PresentationPolicy? = nil, reader: ResponseReader = ResponseReader()) {
        self.party = party
        self.reader = reader
        if let policy {
            self.policy = policy
        } else {
            self.policy = PresentationPolicy()
            self.policy.profile = party.profile
        }
    }
}
