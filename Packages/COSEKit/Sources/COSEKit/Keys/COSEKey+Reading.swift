public import CBORKit
import CryptoCore

extension COSEKey {
    /// Reads a COSE_Key.
    ///
    /// - Throws: ``COSEError/Code/malformed`` for bytes that are not one CBOR map, ``COSEError/Code/duplicateLabel``,
    ///   and ``COSEError/Code/invalidKey`` for members that are missing or of another type. The numbers are checked
    ///   when the key is used.
    public init(decoding bytes: ArraySlice<UInt8>, options: COSEReadingOptions = .default) throws(COSEError) {
        let document: CBORDocument
        do {
            document = try CBORDocument(bytes, options: options.cbor)
        } catch {
            throw COSEError(error, path: ["COSE_Key"])
        }
        try self.init(cbor: document.root)
    }

    /// Reads a COSE_Key.
    public init(decoding bytes: some Collection<UInt8>, options: COSEReadingOptions = .default) throws(COSEError) {
        let bytes = Array(bytes)
        try self.init(decoding: bytes[...], options: options)
    }

    /// Reads a COSE_Key from an item of a larger document.
    public init(cbor view: CBORView) throws(COSEError) {
        if let key = PlainCurveKey(view) {
            self.init(key)
            return
        }
        let parts = try within("COSE_Key") { () throws(COSEError) in try Parts(COSEKeyMembers(cbor: view)) }
        self.init(parts, encoded: view.encodedBytes)
    }
}

extension COSEKey.Parts {
    fileprivate init(_ members: COSEKeyMembers) throws(COSEError) {
        keyType = COSEKeyType(rawValue: try members.required(COSEKeyLabel.kty, "kty", COSEKeyMembers.label))
        material = try Self.material(of: keyType, members)
        keyID = try members.bytes(COSEKeyLabel.kid, "kid")
        baseIV = try members.bytes(COSEKeyLabel.baseIV, "Base IV")
        algorithm = try members.algorithm()
        keyOperations = try members.keyOperations()
        if material.isSecret {
            // The members must not keep the document with the private part alive.
            keyID = keyID.map { [UInt8]($0)[...] }
            baseIV = baseIV.map { [UInt8]($0)[...] }
        }
    }

    private static func material(
        of type: COSEKeyType,
        _ members: COSEKeyMembers
    ) throws(COSEError) -> COSEKey.Material {
        switch type {
        case .ec2: .ec2(try EllipticCurveMaterial(members, hasY: true))
        case .okp: .okp(try EllipticCurveMaterial(members, hasY: false))
        case .rsa: .rsa(try RSAMaterial(members))
        case .symmetric: .symmetric(SecretBytes(try members.required(COSEKeyLabel.k, "k", COSEKeyMembers.bytes)))
        default: .unknown
        }
    }
}

extension EllipticCurveMaterial {
    fileprivate init(_ members: COSEKeyMembers, hasY: Bool) throws(COSEError) {
        curve = try members.required(COSEKeyLabel.crv, "crv", COSEKeyMembers.label)
        privateKey = try members.bytes(COSEKeyLabel.d, "d").map { SecretBytes($0) }
        let x = try members.bytes(COSEKeyLabel.x, "x")
        let y = hasY ? try members.optional(COSEKeyLabel.y, "y", Self.yCoordinate) : nil
        guard privateKey != nil || x != nil else {
            throw COSEError(.invalidKey, "the key has neither a public nor a private part", path: ["x"])
        }
        guard !hasY || (x == nil) == (y == nil) else {
            throw COSEError(.invalidKey, "only one of the coordinates is there", path: [x == nil ? "x" : "y"])
        }
        self.x = privateKey == nil ? x : x.map { [UInt8]($0)[...] }
        self.y = privateKey == nil ? y : y?.copied
    }

    private static func yCoordinate(_ view: CBORView) throws(CBORError) -> YCoordinate {
        view.kind == .byteString ? .full(try view.bytes()) : .isOdd(try view.bool())
    }
}

extension EllipticCurveMaterial.YCoordinate {
    fileprivate var copied: Self {
        switch self {
        case .full(let bytes): .full([UInt8](bytes)[...])
        case .isOdd: self
        }
    }
}

extension RSAMaterial {
    fileprivate init(_ members: COSEKeyMembers) throws(COSEError) {
        guard try members.optional(COSEKeyLabel.otherPrimes, "other", { $0 }) == nil else {
            throw COSEError(.unsupportedKey, "RSA keys of more than two primes are not implemented", path: ["other"])
        }
        modulus = [UInt8](try members.required(COSEKeyLabel.n, "n", COSEKeyMembers.bytes))
        publicExponent = [UInt8](try members.required(COSEKeyLabel.e, "e", COSEKeyMembers.bytes))
        privateNumbers =
            members.contains(COSEKeyLabel.rsaD)
            ? try RSAPrivateComponents(modulus: modulus, publicExponent: publicExponent, members) : nil
    }
}

extension RSAPrivateComponents {
    fileprivate init(
        modulus: [UInt8],
        publicExponent: [UInt8],
        _ members: COSEKeyMembers
    ) throws(COSEError) {
        func secret(_ label: COSELabel, _ name: String) throws(COSEError) -> SecretBytes {
            SecretBytes(try members.required(label, name, COSEKeyMembers.bytes))
        }
        self.init(
            modulus: modulus,
            publicExponent: publicExponent,
            privateExponent: try secret(COSEKeyLabel.rsaD, "d"),
            prime1: try secret(COSEKeyLabel.p, "p"),
            prime2: try secret(COSEKeyLabel.q, "q"),
            exponent1: try secret(COSEKeyLabel.dP, "dP"),
            exponent2: try secret(COSEKeyLabel.dQ, "dQ"),
            coefficient: try secret(COSEKeyLabel.qInverse, "qInv")
        )
    }
}
