import CBORKit
import Foundation
import IdemixCore

/// An issuer that is its own revocation authority, behind a wire: bytes in, bytes out.
struct IdemixIssuer {
    let keys: IssuerKeyPair
    /// The nonce for the holder's proofs.
    let nonce = BigInteger.random(bits: SystemParameters.Common.nonce)
    var authority: RevocationAuthority

    /// When credentials are issued, to the week.
    static let time = Date(timeIntervalSince1970: 1_800_000_000)

    private static let files = Result {
        let keys = try IssuerKeyPair.generate(.bits1024, counter: 3, expiryDate: .distantFuture, baseCount: 7)
        return (publicKey: keys.publicKey.xml, privateKey: try keys.privateKey.xml())
    }

    /// An issuer that starts with the files of its keys.
    init(at date: Date) throws {
        let files = try Self.files.get()
        keys = try IssuerKeyPair(
            publicKey: IssuerPublicKey(xml: files.publicKey),
            privateKey: IssuerPrivateKey(xml: files.privateKey)
        )
        authority = try RevocationAuthority(keys: keys, at: date)
    }

    var publicKey: [UInt8] { keys.publicKey.xml }

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

    /// Verifies a holder's commitment and signs a credential: the attributes, then the revocation attribute.
    ///
    /// - Parameters:
    ///   - keyshare: The keyshare server's answer, if the scheme has one.
    ///   - multipliesShare: Whether the holder divided the server's share out of U.
    func sign(
        _ attributes: [BigInteger],
        blindIndices: Set<Int> = [],
        for request: [UInt8],
        keyshare: [UInt8]? = nil,
        multipliesShare: Bool = false
    ) throws -> [UInt8] {
        let message = try ProofsMessage(received: request)
        var list = try message.list()
        if let keyshare {
            let response = try KeyshareAnswer(received: keyshare).response
            list = try list.merging(response, at: [0: keys.publicKey], multiplyingShare: multipliesShare)
        }
        let expectation = IssuanceExpectation(publicKey: keys.publicKey, blindIndices: blindIndices)
        let verification = list.verify(expecting: [.issuance(expectation)], nonce: nonce, at: Self.time)
        guard case .issuance(let commitment)? = verification.verified?.proofs.first, let holderNonce = message.nonce
        else { throw RefusedMessage("the commitment does not verify: \(String(describing: verification.refusal))") }
        let witness = try authority.makeWitness()
        let issued = try Issuer(keys: keys).sign(
            attributes: attributes + [witness.e],
            commitment: commitment,
            nonce: holderNonce.number,
            witness: witness.message
        )
        return try SignatureMessage(issued).sent()
    }

    /// Revokes a credential by its prime and starts the authority again from what it has published.
    mutating func revoke(_ prime: BigInteger, at date: Date) throws {
        let published = try authority.update(lastEvents: 16).cborEncoded()
        authority = try RevocationAuthority(
            keys: keys,
            continuing: RevocationUpdate(cbor: CBORDocument(published).root)
        )
        try authority.revoke(prime, at: date)
    }

    /// The update for clients of the revocation authority.
    func update(lastEvents count: Int) throws -> [UInt8] {
        try authority.update(lastEvents: count).cborEncoded()
    }
}
