import CryptoCore
import Foundation
import IdemixCore
import JSONKit
import TestSupport
import Testing

/// Sessions recorded with another implementation's server and wallet.
@Suite(.enabled(if: VectorSet("irma").isAvailable, VectorSet.absence))
struct RecordedSessionTests {
    @Test(arguments: VectorSet("irma").files(withExtension: "json"))
    func verifiesEverythingRecorded(file: VectorFile) throws {
        let json = JSON(try JSONValue(parsing: file.bytes()))
        let time = try json.created.text.map { try Date($0, strategy: .iso8601) } ?? .distantPast
        var cases = 0
        for session in json.irmaSessions.array { cases += try RecordedSession(json: session, time: time).check() }
        for credential in json.wallet.newCredentials.array + json.wallet.usedCredentials.array {
            try RecordedCredential(json: credential).check()
            cases += 1
        }
        cases += try checkKeyshareMerging(json)
        cases += try PrintedMessages(json: json).check()
        let reason = "holds no proof, signature or credential"
        file.report(ran: cases, passedOver: cases == 0 ? [(file.path, reason)] : [])
    }

    @Test(arguments: VectorSet("irma").files(withExtension: "xml"))
    func readsEveryKey(file: VectorFile) throws {
        let bytes = try file.bytes()
        let text = String(decoding: bytes, as: UTF8.self)
        if text.contains("<IssuerPublicKey xmlns") {
            let key = try IdemixIssuerPublicKey(xml: bytes)
            let again = try IdemixIssuerPublicKey(xml: key.xml)
            #expect(again == key)
        } else if text.contains("<IssuerPrivateKey xmlns") {
            let key = try IdemixIssuerPrivateKey(xml: bytes, validation: .arithmetic)
            let again = try IdemixIssuerPrivateKey(xml: key.xml(), validation: .arithmetic)
            #expect(again.factors == key.factors)
            #expect(again.revocationKey?.publicKey == key.revocationKey?.publicKey)
        } else {
            file.report(ran: 0, passedOver: [(file.path, "describes a scheme, an issuer or a credential type")])
            return
        }
        file.report(ran: 1)
    }

    /// The wallet's proofs, merged with the keyshare server's answer, equal the session's proofs.
    private func checkKeyshareMerging(_ json: JSON) throws -> Int {
        var cases = 0
        for session in json.irmaSessions.array {
            for (server, response) in session.keyshareProofPs.object {
                let proofs = session.proofs.array
                let sent = json.exchanges.array.map(\.requestBody.combinedProofs.array).filter {
                    $0.count == proofs.count
                }
                var keys: [Int: IdemixIssuerPublicKey] = [:]
                for (position, proof) in proofs.enumerated() where proof.keyshareServer.text == server {
                    keys[position] = try RecordedKeys.publicKey(proof.publicKey)
                }
                let merged = sent.compactMap { list in
                    try? IdemixProofList(list.map { try $0.read() })
                        .merging(response.read(), at: keys, multiplyingShare: true)
                }
                if session.expected.gabiProofListVerifies.bool == true {
                    #expect(merged.contains(IdemixProofList(try proofs.map { try $0.proof.read() })))
                } else {
                    // The one P of the answer belongs to another key than some of the proofs.
                    #expect(merged.isEmpty)
                }
                cases += 1
            }
        }
        return cases
    }
}
