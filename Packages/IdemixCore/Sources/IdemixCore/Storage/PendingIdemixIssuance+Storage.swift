import CBORKit
public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PendingIdemixIssuance {
    /// The version of the stored form.
    private static let storageVersion: UInt64 = 1

    /// The state for storage until the signatures come, also across a restart.
    ///
    /// Neither the holder's secret key nor the issuers' keys are part of it. Together with the secret key and the issuers'
    /// messages it makes the credentials; keep it encrypted, and delete it when they are made.
    public func encoded() -> SecretBytes {
        var writer = SecretStateWriter()
        writer.beginMap(count: 4)
        writer.write(text: "version")
        writer.write(unsigned: Self.storageVersion)
        writer.write(text: "context")
        writer.write(magnitude: context)
        writer.write(text: "n_2")
        writer.write(magnitude: nonce)
        writer.write(text: "credentials")
        writer.beginArray(count: entries.count)
        for entry in entries { entry.write(to: &writer) }
        return writer.finish()
    }

    /// Reads the stored state.
    ///
    /// - Parameters:
    ///   - bytes: The state as ``encoded()`` gives it; the caller wipes them, the copy that is made is wiped.
    ///   - publicKeys: The keys of the issuers, by position.
    ///   - secretKey: The holder's secret key. With another one than that of the commitments, no signature verifies.
    /// - Throws: ``IdemixError/Code/malformedCBOR``; ``IdemixError/Code/countMismatch`` for more or fewer keys than
    ///   commitments; with the position in the path ``IdemixError/Code/keyPairMismatch`` for another issuer's key, the
    ///   errors of ``IdemixIssuanceRequest/init(publicKey:attributes:blindIndices:revocationIndex:keyshareP:)``, and
    ///   ``IdemixError/Code/outOfRange`` or ``IdemixError/Code/notInvertible`` for numbers that no commitment has.
    public init(
        decoding bytes: some ContiguousBytes,
        publicKeys: [IdemixIssuerPublicKey],
        secretKey: IdemixHolderSecretKey
    ) throws(IdemixError) {
        self = try SecretStateReader.read(bytes, version: Self.storageVersion) { map in
            let stored = try map.required("credentials").array()
            guard stored.count == publicKeys.count else {
                throw IdemixError(
                    .countMismatch,
                    "\(publicKeys.count) keys for \(stored.count) commitments",
                    path: ["credentials"]
                )
            }
            let entries = try zip(stored, publicKeys).enumerated().map { position, pair in
                do {
                    return try Entry(stored: pair.0.map(), publicKey: pair.1, secretKey: secretKey)
                } catch let error as IdemixError {
                    throw error.inside("credentials[\(position)]")
                }
            }
            return PendingIdemixIssuance(
                context: try map.magnitude("context"),
                nonce: try map.magnitude("n_2"),
                entries: entries
            )
        }
    }
}

extension PendingIdemixIssuance.Entry {
    fileprivate func write(to writer: inout SecretStateWriter) {
        let publicKey = credential.publicKey
        writer.beginMap(count: 5 + (revocationIndex == nil ? 0 : 1) + (credential.keyshareP == nil ? 0 : 1))
        publicKey.writeName(to: &writer)
        writer.write(text: "v'")
        writer.write(magnitude: credential.vPrime, bits: publicKey.parameters.vPrime)
        writer.write(text: "m'")
        writer.beginMap(count: credential.shares.count)
        for (index, share) in credential.shares.sorted(by: { $0.key < $1.key }) {
            writer.write(unsigned: UInt64(index))
            writer.write(magnitude: share, bits: publicKey.parameters.attribute)
        }
        writer.write(text: "attributes")
        writer.beginArray(count: attributes.count)
        for attribute in attributes { writer.write(magnitude: attribute) }
        if let revocationIndex {
            writer.write(text: "revocation")
            writer.write(unsigned: UInt64(revocationIndex))
        }
        if let keyshareP = credential.keyshareP {
            writer.write(text: "P")
            writer.write(magnitude: keyshareP)
        }
    }

    fileprivate init(stored map: CBORMapView, publicKey: IdemixIssuerPublicKey, secretKey: IdemixHolderSecretKey) throws
    {
        try publicKey.requireName(in: map)
        var shares: [Int: BigInteger] = [:]
        for (index, share) in try map.required("m'").map() { shares[try index.integer()] = try share.magnitude() }
        let request = try IdemixIssuanceRequest(
            publicKey: publicKey,
            attributes: try map.magnitudes("attributes"),
            blindIndices: Set(shares.keys),
            revocationIndex: try map.value(forKey: "revocation")?.integer(),
            keyshareP: try map.optionalMagnitude("P")
        )
        attributes = request.attributes
        revocationIndex = request.revocationIndex
        credential = try PendingIdemixCredential(
            publicKey: publicKey,
            secretKey: secretKey,
            vPrime: map.magnitude("v'"),
            shares: shares,
            keyshareP: request.keyshareP
        )
    }
}
