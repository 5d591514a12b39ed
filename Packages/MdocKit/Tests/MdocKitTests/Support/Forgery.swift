import CBORKit
import COSEKit
import CryptoCore
import MdocKit
import Testing

/// Credentials and responses that our own builders would not make.
extension Utopia {
    /// The licence with a changed mobile security object, properly signed, with other certificates if any are given.
    func licence(
        x5chain: [[UInt8]]? = nil,
        x5t: Certificate? = nil,
        signedBy signer: PrivateKey? = nil,
        options: MdocReadingOptions = .strict,
        changing change: (inout CBOR) -> Void
    ) async throws -> IssuerSigned {
        try await encodedLicence(x5chain: x5chain, x5t: x5t, signedBy: signer, options: options) { object in
            change(&object)
            return object.encoded()
        }
    }

    /// The licence with a mobile security object that is encoded in its own way, properly signed.
    func encodedLicence(
        x5chain: [[UInt8]]? = nil,
        x5t: Certificate? = nil,
        signedBy signer: PrivateKey? = nil,
        options: MdocReadingOptions = .strict,
        encoding encode: (inout CBOR) -> [UInt8]
    ) async throws -> IssuerSigned {
        let issued = try await licence()
        var object = try CBOR(decoding: [UInt8](issued.mobileSecurityObject.taggedBytes)).embedded
        var unprotected: COSEHeaderMap = [:]
        var protected: COSEHeaderMap = [.alg: .integer(COSEAlgorithm.es256.rawValue)]
        if let x5t { protected[.x5t] = COSECertificateHash(sha256Of: x5t.derBytes).cbor }
        let chain = x5chain ?? [documentSigner.derBytes]
        if !chain.isEmpty { unprotected[.x5chain] = COSEHeaderMap.certificates(chain) }
        let issuerAuth = try await COSESign1.sign(
            CBOR.tagged(24, .bytes(encode(&object))).encoded(),
            headers: COSEHeaders(protected: protected, unprotected: unprotected),
            with: SoftwareSigner(signer ?? documentSignerKey)
        )
        var credential = try CBOR(decoding: [UInt8](issued.encodedBytes))
        try credential.change("issuerAuth") { $0 = try CBOR(decoding: issuerAuth.encoded(tagged: false)) }
        return try IssuerSigned(decoding: credential.encoded(), options: options)
    }

    /// A document signer's certificate that need not keep the profile.
    func certificate(
        for key: PublicKey,
        subject: DistinguishedName? = nil,
        purposes: [OID] = [.mdlDocumentSigner]
    ) async throws -> Certificate {
        let usual = documentSigner
        let builder = CertificateBuilder(
            subject: subject ?? usual.subject,
            publicKey: key,
            validity: usual.notValidBefore...usual.notValidAfter,
            extensions: [
                .keyUsage(.digitalSignature), .extendedKeyUsage(purposes, isCritical: true),
                .issuerAlternativeName([.uri("https://utopia.example/iaca")]),
                .crlDistributionPoints(["https://utopia.example/iaca.crl"]),
            ]
        )
        return try await builder.issued(by: iaca)
    }

    /// A response to the usual presentation with its one document changed.
    func presentation(
        of issuerSigned: IssuerSigned? = nil,
        options: MdocReadingOptions = .strict,
        changing change: (inout CBOR) throws -> Void
    ) async throws -> DeviceResponse {
        let licence = try await licence()
        let response = try await present(issuerSigned ?? licence)
        var message = try CBOR(decoding: [UInt8](response.encodedBytes))
        try message.change("documents") { try $0.change(0, change) }
        return try DeviceResponse(decoding: message.encoded(), options: options)
    }
}

extension CBOR {
    /// The item within a tag-24 byte string.
    var embedded: CBOR {
        get throws {
            guard case .tagged(24, .bytes(let bytes)) = self else { throw CBORError(.typeMismatch, "no tag 24") }
            return try CBOR(decoding: bytes)
        }
    }

    /// Changes a member of a map in place.
    mutating func change(_ key: CBOR, _ change: (inout CBOR) throws -> Void) rethrows {
        guard case .map(var map) = self, var value = map[key] else { return }
        try change(&value)
        map[key] = value
        self = .map(map)
    }

    /// Changes an element of an array in place.
    mutating func change(_ index: Int, _ change: (inout CBOR) throws -> Void) rethrows {
        guard case .array(var elements) = self, elements.indices.contains(index) else { return }
        try change(&elements[index])
        self = .array(elements)
    }

    /// Sets or removes a member of a map.
    mutating func set(_ key: CBOR, _ value: CBOR?) {
        guard case .map(var map) = self else { return }
        map[key] = value
        self = .map(map)
    }
}
