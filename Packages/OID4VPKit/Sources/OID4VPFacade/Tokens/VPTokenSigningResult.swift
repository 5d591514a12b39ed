/// The signatures for the presentations of one format.
public protocol VPTokenSigningResult: Sendable {}

/// The signature of a linked-data presentation.
public struct LdpVPTokenSigningResult: VPTokenSigningResult, Hashable {
    /// A detached JWS, for suites with one.
    public let jws: String?
    /// The value of the proof, for other suites.
    public let proofValue: String?
    /// The name of the suite.
    public let signatureAlgorithm: String

    /// Takes a signature.
    public init(jws: String? = nil, proofValue: String? = nil, signatureAlgorithm: String) {
        self.jws = jws
        self.proofValue = proofValue
        self.signatureAlgorithm = signatureAlgorithm
    }
}

/// The device signatures of mdocs.
public struct MdocVPTokenSigningResult: VPTokenSigningResult, Hashable {
    /// The signatures by document type.
    public let docTypeToDeviceAuthentication: [String: DeviceAuthentication]

    /// Takes signatures.
    public init(docTypeToDeviceAuthentication: [String: DeviceAuthentication]) {
        self.docTypeToDeviceAuthentication = docTypeToDeviceAuthentication
    }
}

/// The signatures of Key Binding JWTs.
public struct SdJwtVpTokenSigningResult: VPTokenSigningResult, Hashable {
    /// The signatures in base64url by the names of the unsigned tokens.
    public let uuidToKbJWTSignature: [String: String]

    /// Takes signatures.
    public init(uuidToKbJWTSignature: [String: String]) {
        self.uuidToKbJWTSignature = uuidToKbJWTSignature
    }
}

/// The device signature of an mdoc.
public struct DeviceAuthentication: Hashable, Sendable {
    /// r‖s, or the signature of EdDSA, in base64url.
    public let signature: String
    /// The algorithm, by its name in JOSE.
    public let algorithm: String

    /// Takes a signature.
    public init(signature: String, algorithm: String) {
        self.signature = signature
        self.algorithm = algorithm
    }
}

/// The signature for an ``UnsignedVPTokenV2``.
public struct VPTokenSigningResultV2: Hashable, Sendable {
    /// A detached JWS or proof value for linked data, or the signature in base64url.
    public let signedData: String

    /// Takes a signature.
    public init(signedData: String) {
        self.signedData = signedData
    }
}
