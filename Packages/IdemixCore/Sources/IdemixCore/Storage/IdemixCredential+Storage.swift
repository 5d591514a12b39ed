import CBORKit
public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension IdemixCredential {
    /// The version of the stored form.
    private static let storageVersion: UInt64 = 1

    /// The credential for storage: the signature, the attributes and the witness.
    ///
    /// Neither the holder's secret key nor the issuer's key is part of it: all credentials of a holder share the one, and
    /// the other is public. Together with the secret key it is all that a presentation needs: keep it encrypted.
    public func encoded() -> SecretBytes {
        var writer = SecretStateWriter()
        writer.beginMap(count: 7 + (signature.keyshareP == nil ? 0 : 1) + (witness == nil ? 0 : 1))
        writer.write(text: "version")
        writer.write(unsigned: Self.storageVersion)
        publicKey.writeName(to: &writer)
        writer.write(text: "A")
        writer.write(magnitude: signature.A)
        writer.write(text: "e")
        writer.write(magnitude: signature.e)
        writer.write(text: signature.v.isNegative ? "-v" : "v")
        writer.write(magnitude: signature.v, bits: publicKey.parameters.v + 1)
        writer.write(text: "attributes")
        writer.beginArray(count: attributes.count)
        for attribute in attributes { writer.write(magnitude: attribute) }
        if let keyshareP = signature.keyshareP {
            writer.write(text: "P")
            writer.write(magnitude: keyshareP)
        }
        if let witness {
            writer.write(text: "witness")
            witness.message.write(to: &writer)
        }
        return writer.finish()
    }

    /// Reads a stored credential and checks its signature and its witness.
    ///
    /// - Parameters:
    ///   - bytes: The credential as ``encoded()`` gives it; the caller wipes them, the copy that is made is wiped.
    ///   - publicKey: The key of the issuer.
    ///   - secretKey: The holder's secret key.
    ///   - randomness: The source of the Miller–Rabin bases that e is tested with; by default the system's.
    /// - Throws: ``IdemixError/Code/malformedCBOR``, ``IdemixError/Code/keyPairMismatch`` for another issuer's key, and the
    ///   errors of ``init(publicKey:signature:secretKey:attributes:witness:using:)`` and
    ///   ``ReceivedWitness/verified(by:)``.
    public init(
        decoding bytes: some ContiguousBytes,
        publicKey: IdemixIssuerPublicKey,
        secretKey: IdemixHolderSecretKey,
        using randomness: some RandomSource = .system
    ) throws(IdemixError) {
        let parts = try StoredParts(bytes, version: Self.storageVersion, publicKey: publicKey)
        try self.init(
            publicKey: publicKey,
            signature: parts.signature,
            secretKey: secretKey,
            attributes: parts.attributes,
            witness: parts.witness.map { witness throws(IdemixError) in try witness.verified(by: publicKey) },
            using: randomness
        )
    }

    /// Reads a stored credential without checking its signature and its witness: the caller vouches for the store.
    ///
    /// For a store that nothing but the wallet itself can write, such as an authenticated and encrypted one. Proofs of a
    /// credential that is not the issuer's do not verify. The numbers are checked to be in their ranges.
    ///
    /// - Parameters:
    ///   - bytes: The credential as ``encoded()`` gave it; the caller wipes them, the copy that is made is wiped.
    ///   - publicKey: The key of the issuer.
    ///   - secretKey: The holder's secret key.
    /// - Throws: ``IdemixError/Code/malformedCBOR``, ``IdemixError/Code/keyPairMismatch`` for another issuer's key,
    ///   ``IdemixError/Code/outOfRange``, ``IdemixError/Code/notInvertible``, ``IdemixError/Code/invalidAttribute``,
    ///   ``IdemixError/Code/invalidAttributeCount``, ``IdemixError/Code/invalidWitness``.
    public init(
        decodingVouchedFor bytes: some ContiguousBytes,
        publicKey: IdemixIssuerPublicKey,
        secretKey: IdemixHolderSecretKey
    ) throws(IdemixError) {
        let parts = try StoredParts(bytes, version: Self.storageVersion, publicKey: publicKey)
        let integers = [secretKey.value] + parts.attributes
        try parts.signature.checkRanges(attributes: integers, publicKey: publicKey)
        try self.init(
            verified: parts.signature,
            publicKey: publicKey,
            secretKey: secretKey,
            attributes: parts.attributes,
            witness: parts.witness.map { witness throws(IdemixError) in
                try RevocationWitness(vouchedFor: witness, publicKey: publicKey)
            }
        )
    }

    /// The parts of a stored credential; only the name of the issuer's key is checked.
    private struct StoredParts {
        let signature: CLSignature
        let attributes: [BigInteger]
        let witness: ReceivedWitness?

        init(
            _ bytes: some ContiguousBytes,
            version: UInt64,
            publicKey: IdemixIssuerPublicKey
        ) throws(IdemixError) {
            self = try SecretStateReader.read(bytes, version: version) { map in
                try publicKey.requireName(in: map)
                return try StoredParts(map)
            }
        }

        private init(_ map: CBORMapView) throws {
            let negative = try map.optionalMagnitude("-v")
            signature = CLSignature(
                A: try map.magnitude("A"),
                e: try map.magnitude("e"),
                v: try negative.map { -$0 } ?? map.magnitude("v"),
                keyshareP: try map.optionalMagnitude("P")
            )
            attributes = try map.magnitudes("attributes")
            witness = try map.value(forKey: "witness").map { try ReceivedWitness(stored: $0.map()) }
        }
    }
}

extension ReceivedWitness {
    /// Writes the witness as a part of stored state.
    fileprivate func write(to writer: inout SecretStateWriter) {
        writer.beginMap(count: 4)
        writer.write(text: "u")
        writer.write(magnitude: u)
        writer.write(text: "e")
        writer.write(magnitude: e)
        writer.write(text: "sacc")
        writer.write(bytes: signedAccumulator.data)
        writer.write(text: "pk")
        writer.write(unsigned: UInt64(signedAccumulator.keyCounter))
    }

    fileprivate init(stored map: CBORMapView) throws {
        self.init(
            u: try map.magnitude("u"),
            e: try map.magnitude("e"),
            signedAccumulator: SignedAccumulator(
                data: Array(try map.required("sacc").bytes()),
                keyCounter: try map.required("pk").integer()
            )
        )
    }
}

extension IdemixIssuerPublicKey {
    /// The SHA-256 of the modulus, by which stored state names the key that it belongs to.
    private var fingerprint: [UInt8] { HashAlgorithm.sha256.digest(of: elements.n.bytes) }

    /// Writes the members that name the key: two of them.
    func writeName(to writer: inout SecretStateWriter) {
        writer.write(text: "counter")
        writer.write(unsigned: UInt64(counter))
        writer.write(text: "modulus")
        writer.write(bytes: fingerprint)
    }

    /// Refuses state that belongs to another key.
    ///
    /// - Throws: ``IdemixError/Code/keyPairMismatch``, `CBORError`.
    func requireName(in map: CBORMapView) throws {
        let counter: UInt = try map.required("counter").integer()
        guard counter == self.counter, Array(try map.required("modulus").bytes()) == fingerprint else {
            throw IdemixError(.keyPairMismatch, "the state belongs to another key, with the counter \(counter)")
        }
    }
}
