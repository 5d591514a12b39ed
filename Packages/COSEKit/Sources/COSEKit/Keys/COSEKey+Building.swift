import CBORKit
public import CryptoCore

extension COSEKey {
    /// The members of a new key beside its numbers.
    public struct Attributes: Sendable {
        /// The identifier (`kid`).
        public var keyID: [UInt8]?
        /// The only algorithm the key may be used with (`alg`).
        public var algorithm: COSEAlgorithm?
        /// The only operations the key may be used for (`key_ops`).
        public var keyOperations: Set<COSEKeyOperation>?
        /// The constant part of initialization vectors (`Base IV`).
        public var baseIV: [UInt8]?

        /// Sets the members; those not given are left out.
        public init(
            keyID: [UInt8]? = nil,
            algorithm: COSEAlgorithm? = nil,
            keyOperations: Set<COSEKeyOperation>? = nil,
            baseIV: [UInt8]? = nil
        ) {
            self.keyID = keyID
            self.algorithm = algorithm
            self.keyOperations = keyOperations
            self.baseIV = baseIV
        }
    }

    /// The COSE_Key of a public key, with both coordinates in full.
    ///
    /// - Parameters:
    ///   - publicKey: The key.
    ///   - compressed: Indicates that an EC2 key has only the parity of `y`.
    ///   - attributes: The members of the key beside its numbers.
    /// - Throws: ``COSEError/Code/unsupportedKey`` for a curve without an identifier in COSE.
    public init(
        publicKey: PublicKey,
        compressed: Bool = false,
        attributes: Attributes = Attributes()
    ) throws(COSEError) {
        let material = try Material(publicKey, compressed: compressed, privateKey: nil)
        self.init(building: material, attributes)
    }

    /// The COSE_Key of a private key, with its public part.
    ///
    /// - Throws: ``COSEError/Code/unsupportedKey`` for a curve without an identifier in COSE.
    public init(privateKey: PrivateKey, attributes: Attributes = Attributes()) throws(COSEError) {
        let material = try Material(privateKey.publicKey, compressed: false, privateKey: privateKey)
        self.init(building: material, attributes)
    }

    /// The COSE_Key of a symmetric key.
    public init(symmetricKey: SecretBytes, attributes: Attributes = Attributes()) {
        self.init(building: .symmetric(symmetricKey), attributes)
    }

    private init(building material: Material, _ attributes: Attributes) {
        let parts = Parts(
            keyType: material.keyType,
            keyID: attributes.keyID?[...],
            algorithm: attributes.algorithm,
            keyOperations: attributes.keyOperations,
            baseIV: attributes.baseIV?[...],
            material: material
        )
        self.init(parts, encoded: parts.encoded[...])
    }
}

extension COSEKey.Material {
    fileprivate init(_ key: PublicKey, compressed: Bool, privateKey: PrivateKey?) throws(COSEError) {
        guard let curve = key.curve else {
            self = .rsa(RSAMaterial(key, privateKey?.rsaComponents))
            return
        }
        guard let identifier = curve.coseIdentifier else {
            throw COSEError(.unsupportedKey, "\(curve.name) has no identifier in COSE", path: ["COSE_Key", "crv"])
        }
        let material = EllipticCurveMaterial(
            curve: .integer(identifier),
            x: (key.x ?? key.rawRepresentation)?[...],
            y: key.y.map { compressed ? .isOdd(($0.last ?? 0) & 1 == 1) : .full($0[...]) },
            privateKey: privateKey?.rawRepresentation
        )
        self = curve.family == .weierstrass ? .ec2(material) : .okp(material)
    }

    fileprivate var keyType: COSEKeyType {
        switch self {
        case .ec2: .ec2
        case .okp: .okp
        case .rsa: .rsa
        case .symmetric, .unknown: .symmetric
        }
    }
}

extension RSAMaterial {
    fileprivate init(_ key: PublicKey, _ privateNumbers: RSAPrivateComponents?) {
        self.init(
            modulus: key.rsaModulus ?? [],
            publicExponent: key.rsaExponent ?? [],
            privateNumbers: privateNumbers
        )
    }
}
