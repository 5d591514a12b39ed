/// A check of a trust list, by name; an open set.
public struct TrustListCheck: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let description: String

    private init(_ description: String) {
        self.description = description
    }

    /// A root of the provider stands behind the signer's certificate, which fits its profile and is valid now.
    public static let signerCertificate = TrustListCheck("signerCertificate")
    /// The signature over the list, with an algorithm of the standard that goes with the signer's key.
    public static let signature = TrustListCheck("signature")
    /// The list has a requested type; a check of RICALs.
    public static let type = TrustListCheck("type")
    /// The list was not issued in the future.
    public static let issueDate = TrustListCheck("issueDate")
    /// The list's `notAfter` has not passed.
    public static let validity = TrustListCheck("validity")
    /// The list's `nextUpdate` has not passed; fails only where ``TrustListPolicy/refusesOverdueLists`` says so.
    public static let freshness = TrustListCheck("freshness")
    /// The list is not older than the one that was accepted last.
    public static let issueID = TrustListCheck("issueID")
}
