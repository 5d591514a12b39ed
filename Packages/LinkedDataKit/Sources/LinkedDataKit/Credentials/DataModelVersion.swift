/// A version of the Verifiable Credentials Data Model.
public enum DataModelVersion: String, Hashable, Sendable, CaseIterable {
    /// Version 1.1.
    case v1 = "1.1"
    /// Version 2.0.
    case v2 = "2.0"

    /// The URL of the context that every document of the version names first.
    public var contextURL: String {
        switch self {
        case .v1: "https://www.w3.org/2018/credentials/v1"
        case .v2: "https://www.w3.org/ns/credentials/v2"
        }
    }

    /// The member that says from when on a credential is valid.
    var validFromMember: String { self == .v1 ? "issuanceDate" : "validFrom" }

    /// The member that says from when on a credential is no longer valid.
    var validUntilMember: String { self == .v1 ? "expirationDate" : "validUntil" }
}
