/// The presentations of one format without their signatures.
public protocol UnsignedVPToken: Sendable {}

/// A linked-data presentation without its proof.
public struct UnsignedLdpVPToken: UnsignedVPToken, Hashable {
    /// The bytes to sign in base64url, or the presentation as JSON under ``OpenID4VPSettings/LdpDataToSign/presentationJSON``.
    public let dataToSign: String

    /// Takes the data to sign.
    public init(dataToSign: String) {
        self.dataToSign = dataToSign
    }
}

/// mdocs without their device signatures.
public struct UnsignedMdocVPToken: UnsignedVPToken, Hashable {
    /// DeviceAuthenticationBytes in lower-case hexadecimal, by document type.
    ///
    /// The signature is over the Sig_structure around them (RFC 9052, section 4.4).
    public let docTypeToDeviceAuthenticationBytes: [String: String]

    /// Takes the data to sign.
    public init(docTypeToDeviceAuthenticationBytes: [String: String]) {
        self.docTypeToDeviceAuthenticationBytes = docTypeToDeviceAuthenticationBytes
    }
}

/// SD-JWTs without their Key Binding JWTs.
public struct UnsignedSdJwtVPToken: UnsignedVPToken, Hashable {
    /// The signing input of the Key Binding JWTs, each with a name of its own.
    public let uuidToUnsignedKBT: [String: String]

    /// Takes the data to sign.
    public init(uuidToUnsignedKBT: [String: String]) {
        self.uuidToUnsignedKBT = uuidToUnsignedKBT
    }
}

/// One signature that the presentations lack.
public struct UnsignedVPTokenV2: Hashable, Sendable {
    /// The format.
    public let format: FormatType
    /// The key: the holder, the COSE_Key of an mdoc in base64url, or the `kid` or JWK of an SD-JWT.
    public let holderKeyReference: String
    /// The name of the proof suite, or of the algorithm in JOSE.
    public let signatureAlgorithm: String
    /// The bytes to sign: base64url for linked data, hexadecimal for mdocs, the signing input for SD-JWTs.
    public let dataToSign: String

    /// Describes a signature.
    public init(format: FormatType, holderKeyReference: String, signatureAlgorithm: String, dataToSign: String) {
        self.format = format
        self.holderKeyReference = holderKeyReference
        self.signatureAlgorithm = signatureAlgorithm
        self.dataToSign = dataToSign
    }
}
