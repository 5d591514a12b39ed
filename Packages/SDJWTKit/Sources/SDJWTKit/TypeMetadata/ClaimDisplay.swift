/// The name of a claim in one language (SD-JWT VC, claim display metadata).
public struct ClaimDisplay: Hashable, Sendable {
    /// The language (RFC 5646).
    public let locale: String
    /// The claim's name for people.
    public let label: String
    /// More about the claim for people, or nil.
    public let description: String?
}
