import CBORKit
import CommandSupport
import CommandTesting
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import MdocProximity
import SDJWTKit
import TestSupport
import Testing

@testable import CredentialTool

@Suite struct InspectCommandTests {
    /// Figures of ISO/IEC 18013-5, Annex D, and what they are.
    @Test(arguments: [
        ("device-response.hex", "mdoc DeviceResponse"),
        ("device-request.hex", "mdoc DeviceRequest"),
        ("device-engagement-qr.hex", "mdoc DeviceEngagement"),
        ("iaca-certificate.hex", "X.509 certificate"),
        ("issuer-auth.hex", "COSE_Sign1, untagged"),
        ("session-data.hex", "CBOR"),
    ])
    func recognizes(_ name: String, _ kind: String) async throws {
        let path = OwnVectors.url("iso-18013-5-annex-d/\(name)").path
        let invocation = await Invocation.run("inspect", path)
        #expect(invocation.status == 0, "\(invocation.errors)")
        #expect(invocation.output.hasPrefix("kind: \(kind)\nencoding: hex\n"))
    }

    @Test func namesElementsAndSigners() async throws {
        let path = OwnVectors.url("iso-18013-5-annex-d/device-response.hex").path
        let output = await Invocation.run("inspect", path).output
        #expect(output.contains("family_name (digestID 0): \"Doe\""))
        #expect(output.contains("alg (1): ES256 (-7)"))
        #expect(output.contains("deviceAuth: deviceMac"))
    }

    /// The certificate of the annex has a host where others have the address of a revocation list.
    @Test func namesTheDistributionPoints() async throws {
        let path = OwnVectors.url("iso-18013-5-annex-d/iaca-certificate.hex").path
        #expect(await Invocation.run("inspect", path).output.contains("cRLDistributionPoints: example.com\n"))
    }

    @Test func namesTheWaysToReachADevice() async throws {
        let path = OwnVectors.url("iso-18013-5-annex-d/device-engagement-qr.hex").path
        let output = await Invocation.run("inspect", path).output
        #expect(output.contains("    - method: Bluetooth Low Energy\n"), "\(output)")
        #expect(output.contains("service of the wallet as central: 45EFEF74-2B2C-4837-A9A3-B0E1D05A6917"), "\(output)")
        let report = try JSONValue(parsing: await Invocation.run("inspect", path, "--json").output)
        let method = try #require(report["content"]?["retrievalMethods"]?[0])
        #expect(method["serviceOfTheWalletAsCentral"] == "45EFEF74-2B2C-4837-A9A3-B0E1D05A6917")
    }

    /// An engagement with every other way: NFC, an address and an L2CAP channel, Wi-Fi Aware, a website and an
    /// unknown one, with the origin and capabilities of later editions.
    @Test func namesEveryWayOfAnEngagement() async throws {
        let engagement = try DeviceEngagement(
            eDeviceKey: PrivateKey.generate(.p256).publicKey,
            retrievalMethods: [
                .nfc(#require(NFCOptions(maximumCommandData: 255, maximumResponseData: 65_536))),
                .ble(
                    BLEOptions(
                        peripheralServerUUID: UUID(),
                        centralClientUUID: nil,
                        address: [1, 2, 3, 4, 5, 6],
                        l2capPSM: 192
                    )
                ),
                .wifiAware(
                    WiFiAwareOptions(passPhrase: "secret", operatingClass: 81, channelNumber: 6, supportedBands: [4])
                ),
                .website(uri: "https://reader.example/1"),
                .other(type: 1000, version: 1, options: ["a": 1]),
            ],
            originInfos: [.website(domain: "reader.example")],
            capabilities: EngagementCapabilities()
        )
        let folder = try TemporaryFolder()
        let path = try folder.write(engagement.encodedBytes.hexText, to: "engagement.hex")
        let output = await Invocation.run("inspect", path).output
        for line in [
            "largest response: 65536 bytes", "address: 06:05:04:03:02:01", "L2CAP channel: 192", "passphrase: secret",
            "uri: https://reader.example/1", "method: type 1000, version 1", "domain: reader.example",
        ] {
            #expect(output.contains(line), "\(output)")
        }
    }

    @Test func printsJSONForMachines() async throws {
        let path = OwnVectors.url("iso-18013-5-annex-d/device-response.hex").path
        let output = await Invocation.run("inspect", "--json", path).output
        #expect(output.hasPrefix(#"{"kind":"mdoc DeviceResponse","encoding":"hex","#))
    }

    @Test func expandsEmbeddedItemsInNotation() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("d818458301182aa0", to: "embedded.hex")
        let invocation = await Invocation.run("inspect", path)
        #expect(invocation.output.contains("24(<<"))
    }

    @Test func listsTheItemsOfASequence() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("0102", to: "sequence.hex")
        #expect(await Invocation.run("inspect", path).output.contains("kind: CBOR sequence"))
    }

    @Test func saysWhereUnknownInputFails() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("8201", to: "truncated.hex")
        let invocation = await Invocation.run("inspect", path)
        #expect(invocation.status == 2)
        #expect(invocation.output.isEmpty)
        #expect(invocation.errors.contains("truncated"))
    }

    @Test func showsAStatusListInAJWT() async throws {
        let folder = try TemporaryFolder()
        let signer = try SoftwareSigner(PrivateKey.generate(.p256))
        // The list of the Token Status List, section 4.1: sixteen entries in one bit each.
        let claims: JWTClaims = [
            "sub": "https://example.com/statuslists/1", "iat": 1_686_920_170,
            "status_list": ["bits": 1, "lst": "eNrbuRgAAhcBXQ"],
        ]
        let token = try await JWT.sign(claims, header: ["typ": "statuslist+jwt"], with: signer)
        let output = await Invocation.run("inspect", try folder.write(token.compactSerialization(), to: "t.jwt")).output
        #expect(output.contains("kind: Status List Token, JWT"))
        #expect(output.contains("https://example.com/statuslists/1"))
        #expect(output.contains("entries: 16"))
        #expect(output.contains("VALID: 7"))
        #expect(output.contains("INVALID: 9 at 0, 3, 4, 5, 7, 8, 9, 13, 15"))
    }

    @Test func showsAStatusListInACWT() async throws {
        let path = VectorSet.checkout.appendingPathComponent("Tests/Fuzz/corpus/status-list-token/cwt").path
        let output = await Invocation.run("inspect", path).output
        #expect(output.contains("kind: Status List Token, CWT"), "\(output)")
        #expect(output.contains("entries: "), "\(output)")
    }

    @Test func saysWhyAStatusListCannotBeRead() async throws {
        let folder = try TemporaryFolder()
        let signer = try SoftwareSigner(PrivateKey.generate(.p256))
        for (list, reason) in [(nil, "status list: missing"), (["bits": 3, "lst": "eNrbuRgAAhcBXQ"], "not readable")]
            as [(JSONValue?, String)]
        {
            var claims: JWTClaims = ["sub": "https://example.com/statuslists/1"]
            claims["status_list"] = list
            let token = try await JWT.sign(claims, header: ["typ": "statuslist+jwt"], with: signer)
            let output = await Invocation.run("inspect", try folder.write(token.compactSerialization(), to: "t.jwt"))
                .output
            #expect(output.contains(reason), "\(output)")
        }
    }

    @Test func hashesDisclosuresByTheirAlgorithm() async throws {
        let folder = try TemporaryFolder()
        let signer = try SoftwareSigner(PrivateKey.generate(.p256))
        var builder = SDJWTBuilder(claims: ["given_name": "Erika"])
        builder.hashAlgorithm = .sha512
        try builder.conceal(["given_name"])
        let text = try await builder.sign(with: signer).compactSerialization()
        let disclosure = try #require(SDJWT(compact: text).disclosures.first)
        let output = await Invocation.run("inspect", try folder.write(text, to: "a.sdjwt")).output
        #expect(try output.contains("digest: \(disclosure.digest(.sha512))\n"), "\(output)")
    }

    @Test func recognizesKeysInPEM() async throws {
        let folder = try TemporaryFolder()
        let key = try PrivateKey.generate(.p256)
        let secret = await Invocation.run("inspect", try folder.write(key.pem, to: "private.pem"))
        #expect(secret.output.hasPrefix("kind: private key\nencoding: PEM\n"), "\(secret.errors)\(secret.output)")
        let open = await Invocation.run("inspect", try folder.write(key.publicKey.pem, to: "public.pem"))
        #expect(open.output.hasPrefix("kind: public key\nencoding: PEM\n"), "\(open.errors)\(open.output)")
        #expect(open.output.contains("public key: P-256"))
        let both = await Invocation.run("inspect", try folder.write(key.publicKey.pem + key.pem, to: "both.pem"))
        #expect(both.output.hasPrefix("kind: 2 structures in PEM\n"), "\(both.errors)\(both.output)")
    }

    @Test func recognizesEncryptionInJSON() async throws {
        let folder = try TemporaryFolder()
        let key = try JWK(PrivateKey.generate(.p256).publicKey)
        let recipients = try (1...2).map { _ in try JWEEncryptionKey.jwk(key, .ecdhES_A128KW, for: .a128GCM) }
        let jwe = try JWE.encrypt([1, 2, 3], toEach: recipients, with: .a128GCM)
        let text = String(decoding: jwe.generalSerialization(), as: UTF8.self)
        let output = await Invocation.run("inspect", try folder.write(text, to: "a.json")).output
        #expect(output.hasPrefix("kind: JWE, JSON serialization\n"), "\(output)")
        #expect(output.contains("alg: ECDH-ES+A128KW"))
    }

    @Test func refusesALongSequence() async throws {
        let folder = try TemporaryFolder()
        let items = String(repeating: "01", count: Inspection.sequenceLimit)
        #expect(await Invocation.run("inspect", try folder.write(items, to: "most.hex")).status == 0)
        #expect(await Invocation.run("inspect", try folder.write(items + "01", to: "more.hex")).status == 2)
    }

    @Test func exitsWith2WhereThereIsNoFile() async {
        let invocation = await Invocation.run("inspect", "/no/such/file")
        #expect(invocation.status == 2)
        #expect(invocation.errors.hasPrefix("error: cannot open /no/such/file: "))
    }

    @Test func exitsWith2ForUnknownOptions() async {
        #expect(await Invocation.run("inspect", "--no-such-option").status == 2)
    }

    @Test func helpIsNoError() async {
        let invocation = await Invocation.run("--help")
        #expect(invocation.status == 0)
        #expect(invocation.output.contains("credential"))
    }
}
