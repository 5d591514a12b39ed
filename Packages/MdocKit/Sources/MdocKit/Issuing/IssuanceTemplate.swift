public import CBORKit
public import CryptoCore

/// The individual part of a credential in a batch.
public struct DeviceBinding: Sendable {
    /// The key that the credential is bound to.
    public let deviceKey: PublicKey
    /// The references to this credential's revocation status; nil for the builder's.
    ///
    /// Copies that share an entry can be linked by it.
    public let status: MobileSecurityObject.Status?
    /// More about the device key, by integer labels; `nil` for the builder's value.
    public let keyInfo: CBORMap?

    /// Binds a credential to a key.
    public init(_ deviceKey: PublicKey, status: MobileSecurityObject.Status? = nil, keyInfo: CBORMap? = nil) {
        self.deviceKey = deviceKey
        self.status = status
        self.keyInfo = keyInfo
    }
}

/// The common part of many credentials of one holder: elements encoded once, validity and certificates checked once.
///
/// A wallet gets several copies of a credential, each with a device key of its own, so that presentations of different
/// copies cannot be linked. Every copy has its own random values, digest numbers and decoys.
///
/// ```swift
/// var builder = IssuerSignedBuilder(docType: .mDL, validityInfo: validity)
/// try builder.add("Doe", as: "family_name", in: .mDL)
/// let template = try builder.template(x5chain: [documentSigner])
/// let credentials = try await template.sign(for: deviceKeys.map { DeviceBinding($0) }, with: signer)
/// ```
///
/// A template is a value: copies can be prepared from many tasks at once.
public struct IssuanceTemplate: Sendable {
    private let builder: IssuerSignedBuilder
    private let elements: EncodedElements
    private let hash: HashAlgorithm
    private let validityInfo: [UInt8]
    private let x5chain: [Certificate]
    private let signing: MdocSigning

    init(_ builder: IssuerSignedBuilder, x5chain: [Certificate]) throws(MdocError) {
        guard let signerCertificate = x5chain.first else {
            throw MdocError(.invalidValue, "x5chain must hold the document signer's certificate")
        }
        try x5chain.requireNoRoot()
        try builder.check(signerCertificate)
        guard let hash = builder.digestAlgorithm.hash else {
            throw MdocError(.invalidValue, "\(builder.digestAlgorithm) is no hash function of the standard")
        }
        self.builder = builder
        self.x5chain = x5chain
        self.hash = hash
        elements = try EncodedElements(builder)
        validityInfo = try builder.validityInfo.encoded()
        signing = try MdocSigning(signerCertificate)
    }

    /// Draws the random values of one credential and prepares the issuer's signature.
    ///
    /// - Parameters:
    ///   - binding: The device key, and the other values of one credential.
    ///   - random: The source of the random values.
    /// - Throws: ``MdocError`` with code `unsupportedKey` if the device key is on no curve of the standard.
    public func prepare(
        for binding: DeviceBinding,
        using random: some RandomSource = .system
    ) throws(MdocError) -> UnsignedIssuerSigned {
        guard let curve = binding.deviceKey.curve, MdocAlgorithms.allowsDeviceKey(on: curve) else {
            throw MdocError(.unsupportedKey, "the device key is on no curve of the standard")
        }
        let digested = try DigestedElements(elements, hash: hash, randomSize: builder.randomSize, random)
        let object = try builder.mobileSecurityObject(digested, binding, validityInfo)
        return try UnsignedIssuerSigned(
            mobileSecurityObjectBytes: CBORWriter.embedding(object),
            encodedNameSpaces: digested.encodedNameSpaces,
            x5chain: x5chain,
            includesX5T: builder.includesX5T,
            signing: signing
        )
    }

    /// Prepares a batch, for issuers that sign elsewhere; see ``completed(_:with:)``.
    ///
    /// - Parameters:
    ///   - bindings: One per credential, each with a device key of its own.
    ///   - random: The source of the random values.
    /// - Throws: ``MdocError`` as preparing one does, and with code `invalidValue` for a duplicate device key.
    public func prepare(
        for bindings: [DeviceBinding],
        using random: some RandomSource = .system
    ) throws(MdocError) -> [UnsignedIssuerSigned] {
        try checkKeys(of: bindings)
        var prepared: [UnsignedIssuerSigned] = []
        for binding in bindings { prepared.append(try prepare(for: binding, using: random)) }
        return prepared
    }

    /// Puts the signatures to a batch.
    ///
    /// - Parameters:
    ///   - batch: The prepared batch.
    ///   - signatures: One signature over the ``UnsignedIssuerSigned/bytesToSign`` of each, in the same order.
    /// - Throws: ``MdocError`` with code `invalidValue` if the numbers differ, or `signingFailed` if a signature is not
    ///   one by the key of the document signer's certificate.
    public static func completed(
        _ batch: [UnsignedIssuerSigned],
        with signatures: [[UInt8]]
    ) throws(MdocError) -> [IssuerSigned] {
        guard batch.count == signatures.count else {
            throw MdocError(.invalidValue, "\(signatures.count) signatures for \(batch.count) credentials")
        }
        var credentials: [IssuerSigned] = []
        for (unsigned, signature) in zip(batch, signatures) {
            credentials.append(try unsigned.completed(with: signature))
        }
        return credentials
    }

    /// A wallet that shows the same key in two presentations can be linked by it.
    private func checkKeys(of bindings: [DeviceBinding]) throws(MdocError) {
        var keys: Set<PublicKey> = []
        guard bindings.allSatisfy({ keys.insert($0.deviceKey).inserted }) else {
            throw MdocError(.invalidValue, "two credentials of a batch have the same device key")
        }
    }
}
