extension CertificateDeviation {
    /// A kind of departure from a profile: an open set.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, as in the source.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// The certificate is not of version 3.
        public static let version = Kind("version")
        /// The serial number is zero or negative.
        public static let nonPositiveSerialNumber = Kind("nonPositiveSerialNumber")
        /// The serial number has more than 20 octets.
        public static let longSerialNumber = Kind("longSerialNumber")
        /// The serial number is too short for the random bits that are demanded.
        public static let shortSerialNumber = Kind("shortSerialNumber")
        /// The encoding is not exactly DER as RFC 5280 wants it, see ``CertificateEncodingDeviations``.
        public static let encoding = Kind("encoding")
        /// The validity period is too long, or ends before it begins.
        public static let validityPeriod = Kind("validityPeriod")
        /// A revocation list does not say by when the next one is issued.
        public static let missingNextUpdate = Kind("missingNextUpdate")
        /// The subject lacks an attribute.
        public static let missingSubjectAttribute = Kind("missingSubjectAttribute")
        /// countryName is not two upper-case letters in a PrintableString.
        public static let countryName = Kind("countryName")
        /// countryName is not a code that ISO 3166-1 assigns to a country.
        public static let unassignedCountry = Kind("unassignedCountry")
        /// An attribute of a name is in another kind of string than the profile allows.
        public static let nameEncoding = Kind("nameEncoding")
        /// countryName is not that of the issuer.
        public static let countryMismatch = Kind("countryMismatch")
        /// stateOrProvinceName is not that of the issuer, or is missing where the issuer has it.
        public static let stateOrProvinceMismatch = Kind("stateOrProvinceMismatch")
        /// The issuer's name is not, byte by byte, the subject of the issuer's certificate; of a root: its own subject.
        public static let issuerName = Kind("issuerName")
        /// The key is of a kind or on a curve that is not allowed, or cannot be read.
        public static let publicKey = Kind("publicKey")
        /// The certificate is signed with an algorithm that is not allowed.
        public static let signatureAlgorithm = Kind("signatureAlgorithm")
        /// The signature is not one by the issuer's key.
        public static let signature = Kind("signature")
        /// An extension is missing.
        public static let missingExtension = Kind("missingExtension")
        /// A forbidden extension.
        public static let forbiddenExtension = Kind("forbiddenExtension")
        /// A critical extension that the profile does not know.
        public static let unknownCriticalExtension = Kind("unknownCriticalExtension")
        /// An extension is critical and must not be.
        public static let criticalExtension = Kind("criticalExtension")
        /// An extension must be critical and is not.
        public static let extensionNotCritical = Kind("extensionNotCritical")
        /// The content of an extension cannot be read.
        public static let malformedExtension = Kind("malformedExtension")
        /// keyUsage has other bits than the profile wants.
        public static let keyUsage = Kind("keyUsage")
        /// extKeyUsage lacks the purpose that the profile wants.
        public static let extendedKeyUsage = Kind("extendedKeyUsage")
        /// basicConstraints does not have the content that the profile demands.
        public static let basicConstraints = Kind("basicConstraints")
        /// subjectKeyIdentifier is not the SHA-1 digest of the key.
        public static let subjectKeyIdentifier = Kind("subjectKeyIdentifier")
        /// authorityKeyIdentifier is not the issuer's subjectKeyIdentifier.
        public static let authorityKeyIdentifier = Kind("authorityKeyIdentifier")
        /// issuerAltName has neither an e-mail address nor a URI.
        public static let issuerAlternativeName = Kind("issuerAlternativeName")
        /// A distribution point has no name, is limited to some reasons, or names another issuer of the list.
        public static let crlDistributionPoints = Kind("crlDistributionPoints")
        /// None of the distribution points has a URI.
        public static let missingRevocationListURI = Kind("missingRevocationListURI")
    }
}
