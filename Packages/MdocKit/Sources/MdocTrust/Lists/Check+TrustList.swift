import MdocKit
public import VerificationCore

// The checks of trust lists that no other format has.
extension Check {
    /// The list's `nextUpdate` has not passed; fails only where ``TrustListPolicy/refusesOverdueLists`` says so.
    public static let freshness: Check = "freshness"
    /// The list is not older than the one that was accepted last.
    public static let issueID: Check = "issueID"
}
