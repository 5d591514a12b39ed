/// A credential that was asked for and is not there.
public struct CredentialError: Hashable, Sendable, Codable {
    /// Why it is not there, by name; an open set.
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

    /// The type that was asked for.
    public let docType: DocType
    /// Why no credential of the type is there.
    public let errorCode: Code

    /// Names a credential that is not there.
    public init(docType: DocType, errorCode: Code) {
        self.docType = docType
        self.errorCode = errorCode
    }
}
