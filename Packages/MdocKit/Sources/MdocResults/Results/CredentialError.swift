public import MdocKit

/// A requested credential that is missing.
public struct CredentialError: Hashable, Sendable, Codable {
    /// The reason that the credential is missing, by name; an open set.
    public struct Code: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
        /// The name.
        public let rawValue: String

        /// Wraps a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The wallet returned no document of the type.
        public static let notReturned = Code(rawValue: "notReturned")

        /// The name.
        public var description: String { rawValue }
    }

    /// The requested type.
    public let docType: DocType
    /// The reason that no credential of the type was returned.
    public let errorCode: Code

    /// Names a missing credential.
    public init(docType: DocType, errorCode: Code) {
        self.docType = docType
        self.errorCode = errorCode
    }
}
