import CBORKit
public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension KeyshareCommitment {
    /// The version of the stored form.
    private static let storageVersion: UInt64 = 1

    /// Takes the commitment out of memory, for a store that hands it out once.
    ///
    /// The commitment itself answers nothing from then on, so that there is never more than one copy. The store's part is to
    /// delete the bytes before they are read back. With the answer they show the server's secret; keep them encrypted.
    ///
    /// - Throws: ``IdemixError/Code/commitmentUsed`` if it has been answered or taken before.
    public func takeEncodedBytes() throws(IdemixError) -> SecretBytes {
        guard let randomizer = takeRandomizer() else {
            throw IdemixError(.commitmentUsed, "the keyshare commitment has been used")
        }
        var writer = SecretStateWriter()
        writer.beginMap(count: inputHash == nil ? 4 : 5)
        writer.write(text: "version")
        writer.write(unsigned: Self.storageVersion)
        writer.write(text: "randomizer")
        writer.write(magnitude: randomizer, bits: IdemixSystemParameters.bits2048.attributeCommitment)
        writer.write(text: "P")
        writer.write(magnitude: share)
        writer.write(text: "keys")
        writer.beginArray(count: commitments.count)
        for (identifier, commitment) in commitments.sorted(by: { $0.key.description < $1.key.description }) {
            writer.beginArray(count: 3)
            writer.write(text: identifier.description)
            writer.write(bytes: Self.fingerprint(of: moduli[identifier]))
            writer.write(magnitude: commitment)
        }
        if let inputHash {
            writer.write(text: "hw")
            writer.write(bytes: inputHash)
        }
        return writer.finish()
    }

    /// Reads a stored commitment.
    ///
    /// - Parameters:
    ///   - bytes: The commitment as ``takeEncodedBytes()`` gives it; the caller wipes them, the copy that is made is wiped.
    ///   - secret: The secret that made the commitment.
    ///   - publicKey: Gives an issuer's key by its name.
    /// - Throws: ``IdemixError/Code/malformedCBOR``; ``IdemixError/Code/keyPairMismatch`` if a key is missing or
    ///   another; ``IdemixError/Code/outOfRange`` for numbers that no commitment has.
    public convenience init(
        decoding bytes: some ContiguousBytes,
        secret: KeyshareSecret,
        publicKey: (KeyshareKeyIdentifier) -> IdemixIssuerPublicKey?
    ) throws(IdemixError) {
        let stored = try SecretStateReader.read(bytes, version: Self.storageVersion) { map in
            try Stored(map, publicKey)
        }
        self.init(
            secret: secret,
            randomizer: stored.randomizer,
            share: stored.share,
            commitments: stored.commitments,
            moduli: stored.moduli,
            inputHash: stored.inputHash
        )
    }

    /// Names the group of a key.
    private static func fingerprint(of modulus: MontgomeryModulus?) -> [UInt8] {
        HashAlgorithm.sha256.digest(of: modulus?.value.bytes ?? [])
    }

    private struct Stored {
        let randomizer: BigInteger
        let share: BigInteger
        var commitments: [KeyshareKeyIdentifier: BigInteger] = [:]
        var moduli: [KeyshareKeyIdentifier: MontgomeryModulus] = [:]
        let inputHash: [UInt8]?

        init(_ map: CBORMapView, _ publicKey: (KeyshareKeyIdentifier) -> IdemixIssuerPublicKey?) throws {
            randomizer = try map.magnitude("randomizer")
            share = try map.magnitude("P")
            inputHash = try map.value(forKey: "hw").map { Array(try $0.bytes()) }
            guard randomizer.bitCount <= IdemixSystemParameters.bits2048.attributeCommitment else {
                throw IdemixError(.outOfRange, "the randomizer is too long", path: ["randomizer"])
            }
            guard inputHash.map({ $0.count == 32 }) ?? true else {
                throw IdemixError(.outOfRange, "the hash is not 32 bytes long", path: ["hw"])
            }
            for entry in try map.required("keys").array() {
                var parts = try entry.array(count: 3).makeIterator()
                guard let name = try parts.next()?.text(), let fingerprint = try parts.next()?.bytes(),
                    let commitment = try parts.next()?.magnitude(), let identifier = KeyshareKeyIdentifier(name)
                else { throw IdemixError(.malformedCBOR, "no key with its commitment", path: ["keys"]) }
                guard let modulus = publicKey(identifier)?.group.modulus,
                    Array(fingerprint) == KeyshareCommitment.fingerprint(of: modulus)
                else { throw IdemixError(.keyPairMismatch, "the key \(name) is missing or another", path: ["keys"]) }
                guard commitment < modulus.value else {
                    throw IdemixError(.outOfRange, "a commitment is not below the modulus", path: ["keys"])
                }
                commitments[identifier] = commitment
                moduli[identifier] = modulus
            }
            guard !commitments.isEmpty else { throw IdemixError(.malformedCBOR, "no keys", path: ["keys"]) }
        }
    }
}
