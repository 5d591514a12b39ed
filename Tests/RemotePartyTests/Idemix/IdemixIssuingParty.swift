import CBORKit
import CryptoCore
import Foundation
import IdemixCore

/// An issuer that is its own revocation authority, behind a wire: bytes in, bytes out.
struct IdemixIssuingParty {
    let keys: IdemixIssuerKeyPair
    /// The challenge for the holder's proofs.
    let challenge = IdemixChallenge.random()
    private let signer: any Signer
    /// The authority as it is stored: its last event; the others are kept one by one.
    private var storedAuthority: [UInt8]
    private var storedEvents: [[UInt8]]

    /// When credentials are issued, to the week.
    static let time = Date(timeIntervalSince1970: 1_800_000_000)

    private static let files = Result {
        let keys = try IdemixIssuerKeyPair.generate(.bits1024, counter: 3, expiryDate: .distantFuture, baseCount: 7)
        return (publicKey: keys.publicKey.xml, privateKey: try keys.privateKey.xml())
    }

    /// An issuer that starts with the files of its keys.
    init(at date: Date) async throws {
        let files = try Self.files.get()
        keys = try IdemixIssuerKeyPair(
            publicKey: IdemixIssuerPublicKey(xml: Data(files.publicKey)),
            privateKey: IdemixIssuerPrivateKey(xml: files.privateKey)
        )
        signer = try keys.privateKey.revocationSigner()
        let authority = try await RevocationAuthority(keys: keys, at: date, signer: signer)
        storedAuthority = try authority.encoded(lastEvents: 1)
        storedEvents = [try authority.events(in: 0..<1).cborEncoded()]
    }

    var publicKey: [UInt8] { keys.publicKey.xml }

    /// The authority, read again from storage.
    var authority: RevocationAuthority {
        get throws { try RevocationAuthority(decoding: storedAuthority, keys: keys) }
    }

    /// The metadata and the attributes, as both sides know them; zero at the place of a random-blind attribute.
    static func attributes(_ texts: [String?]) throws -> [BigInteger] {
        let metadata = try MetadataAttribute(
            credentialType: "remote.issuer.member",
            keyCounter: 3,
            signedAt: time,
            expiresAt: time + 10_000_000
        )
        return [metadata.integer] + texts.map { AttributeEncoding.version3.integer(for: $0) }
    }

    /// Verifies a holder's commitments and signs a credential for each: the attributes, then the revocation attribute.
    ///
    /// - Parameters:
    ///   - credentials: The attributes of each credential.
    ///   - keyshare: The keyshare server's answer, if the scheme has one.
    ///   - multipliesShare: Indicates whether the holder divided the server's share out of U.
    func sign(
        _ credentials: [[BigInteger]],
        blindIndices: Set<Int> = [],
        for request: [UInt8],
        keyshare: [UInt8]? = nil,
        multipliesShare: Bool = false
    ) throws -> [UInt8] {
        let message = try CommitmentsMessage(received: request)
        var list = message.combinedProofs
        if let keyshare {
            let positions = list.proofs.indices.map { ($0, keys.publicKey) }
            list = try list.merging(
                KeyshareResponse(decoding: keyshare),
                at: Dictionary(uniqueKeysWithValues: positions),
                multiplyingShare: multipliesShare
            )
        }
        let authority = try authority
        let orders = try credentials.map { attributes in
            let witness = try authority.makeWitness()
            return IdemixIssuanceOrder(
                issuer: IdemixIssuer(keys: keys),
                attributes: attributes + [witness.e],
                blindIndices: blindIndices,
                witness: witness.message
            )
        }
        let verification = list.verify(expecting: orders.map(\.expectation), challenge: challenge, at: Self.time)
        guard let verified = verification.verified else {
            throw RefusedMessage("the commitments do not verify: \(String(describing: verification.refusal))")
        }
        return try verified.sign(orders, nonce: message.n_2).encoded()
    }

    /// Revokes a credential by its prime, and stores the authority and the event.
    mutating func revoke(_ prime: BigInteger, at date: Date) async throws {
        let next = try await authority.revoking(prime, at: date, signer: signer)
        storedAuthority = try next.encoded(lastEvents: 1)
        let index = next.accumulator.index
        storedEvents.append(try next.events(in: index..<(index + 1)).cborEncoded())
    }

    /// The update for clients of the revocation authority: the last event, and those before it joined from the store.
    func update(lastEvents count: Int) throws -> [UInt8] {
        let earlier = try storedEvents.dropLast().suffix(count - 1).map { try RevocationEventList(decodingCBOR: $0) }
        return try authority.update(lastEvents: 1).adding(earlierEvents: earlier).cborEncoded()
    }
}
