import ArgumentParser
import CommandTesting
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import OID4VPVerifier
import Testing

@testable import CredentialTool

/// The options of a relying party of a server alone.
struct ServedPartyOptionsTests {
    @Test func keepsTheKeysOfEarlierAnswers() throws {
        let folder = try TemporaryFolder()
        let words = try ["current", "first", "second"].map { name in
            let key = try JWK(PrivateKey.generate(.p256), keyID: name, use: .encryption, algorithm: "ECDH-ES")
            return try folder.write(JSONValue.object(key.membersWithSecrets()).text(), to: name)
        }
        let options = try ServedPartyOptions.parse([
            "--client", "redirect_uri", "--encryption-key=\(words[0])", "--retired-encryption-key=\(words[1])",
            "--retired-encryption-key=\(words[2])",
        ])
        let party = try options.servedParty { Date() }.party
        #expect(party.retiredResponseKeys.map(\.keyID) == ["first", "second"])
        guard case .fixed(let key) = party.encryption.key else { throw CancellationError() }
        #expect(key.keyID == "current")
    }
}
