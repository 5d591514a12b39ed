public import JSONKit
public import MdocKit

/// The display properties of a credential, from the relying party's own configuration and not from the credential.
public struct Branding: Hashable, Sendable, Codable {
    /// The logo of an issuer.
    public struct Logo: Hashable, Sendable, Codable {
        /// The format of the image, such as `svg` or `png`.
        public let format: String
        /// The image in base64.
        public let data: String

        /// Takes an image in base64.
        public init(format: String, data: String) {
            self.format = format
            self.data = data
        }

        /// Takes an image.
        public init(format: String, bytes: some Collection<UInt8>) {
            self.init(format: format, data: JSONBase64.base64.encode(bytes))
        }

        /// The image.
        ///
        /// - Throws: `JSONError` with code `invalidBase64`.
        public func bytes() throws(JSONError) -> [UInt8] {
            try JSONBase64.base64.decode(data)
        }
    }

    /// The name of the credential.
    public let name: String
    /// A short description of the credential.
    public let description: String?
    /// The color behind it, such as `#1E3A8A`.
    public let backgroundColor: String?
    /// The logo of its issuer.
    public let issuerLogo: Logo?

    /// Describes how a credential is shown.
    public init(
        name: String,
        description: String? = nil,
        backgroundColor: String? = nil,
        issuerLogo: Logo? = nil
    ) {
        self.name = name
        self.description = description
        self.backgroundColor = backgroundColor
        self.issuerLogo = issuerLogo
    }

    /// Finds the branding of a verified credential by its type, its issuer or its elements; nil for none.
    public typealias Lookup = @Sendable (VerifiedMdocDocument) -> Branding?
}
