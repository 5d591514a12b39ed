public import MdocKit

/// An entry of a trust list that was passed over, for its certificate cannot be read or a member is wrong.
public struct UnreadableTrustListEntry: Sendable {
    /// The entry's place in the list, counted from 0.
    public let index: Int
    /// The error in the entry.
    public let error: MdocError
}
