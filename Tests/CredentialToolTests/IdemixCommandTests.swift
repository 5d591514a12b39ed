import CommandSupport
import CommandTesting
import Foundation
import IdemixCore
import JSONKit
import TestSupport
import Testing

@testable import CredentialTool

@Suite struct IdemixCommandTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func keygen(in folder: TemporaryFolder, _ more: [String] = []) async -> Invocation {
        await Invocation.run(
            arguments: [
                "idemix", "keygen", "--bits", "1024", "--public-key", folder.path("ipk.xml"), "--private-key",
                folder.path("isk.xml"),
            ] + more,
            now: now
        )
    }

    private func permissions(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    private func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

    @Test func generatesAPairOfKeys() async throws {
        let folder = try TemporaryFolder()
        let made = await keygen(
            in: folder,
            ["--attributes", "4", "--counter", "7", "--expires", "2030-01-01T00:00:00Z"]
        )
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.errors.hasPrefix("0 of 2 safe primes found, 0 candidates tested"))
        #expect(made.errors.contains("1 of 2 safe primes found"))
        #expect(made.output.contains("attributes at most: 4"))
        let publicKey = try IdemixIssuerPublicKey(xml: bytes(folder.path("ipk.xml")))
        let privateKey = try IdemixIssuerPrivateKey(xml: bytes(folder.path("isk.xml")))
        try privateKey.validate(against: publicKey)
        #expect(publicKey.counter == 7)
        #expect(publicKey.elements.R.count == 6)
        #expect(publicKey.expiryDate == Date(timeIntervalSince1970: 1_893_456_000))
        #expect(publicKey.supportsRevocation)
        #expect(try permissions(folder.path("isk.xml")) == 0o600)
        #expect(try permissions(folder.path("ipk.xml")) & 0o133 == 0)
    }

    @Test func leavesRevocationOutWhereAsked() async throws {
        let folder = try TemporaryFolder()
        let made = await keygen(in: folder, ["--without-revocation", "--json"])
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output.contains(#""revocation":false"#))
        let publicKey = try IdemixIssuerPublicKey(xml: bytes(folder.path("ipk.xml")))
        let privateKey = try IdemixIssuerPrivateKey(xml: bytes(folder.path("isk.xml")))
        try privateKey.validate(against: publicKey)
        #expect(!publicKey.supportsRevocation && publicKey.elements.G == nil)
        #expect(privateKey.revocationKey == nil)
        // A year from now, and ten attributes.
        #expect(publicKey.expiryDate == now + 365 * 86_400)
        #expect(publicKey.attributeCapacity == 10)
    }

    @Test(arguments: ["ipk.xml", "isk.xml"])
    func replacesNothingUnasked(name: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write("mine", to: name)
        let refused = await keygen(in: folder)
        #expect(refused.status == 2)
        #expect(refused.errors == "error: \(folder.path(name)) is there already; --force replaces it")
        #expect(try bytes(folder.path(name)) == Array("mine".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [name])
        let forced = await keygen(in: folder, ["--force"])
        #expect(forced.status == 0, "\(forced.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 2)
        #expect(try permissions(folder.path("isk.xml")) == 0o600)
    }

    @Test(arguments: [
        ["--bits", "1536"], ["--attributes", "-1"], ["--attributes", "999"], ["--counter", "65536"],
        ["--expires", "soon"], ["--public-key", "same", "--private-key", "same"],
        ["--expires", "2001-01-01T00:00:00Z"],
    ])
    func refusesImpossibleOptions(options: [String]) async throws {
        let folder = try TemporaryFolder()
        let invocation = await keygen(in: folder, options)
        #expect(invocation.status == 2)
        #expect(!invocation.errors.isEmpty && invocation.output.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func saysWhereItCannotWrite() async throws {
        let folder = try TemporaryFolder()
        let invocation = await keygen(in: folder, ["--private-key", folder.path("none/isk.xml")])
        #expect(invocation.status == 2)
        #expect(invocation.errors.contains("error: cannot write \(folder.path("none/isk.xml"))"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func writesNothingWhereItIsCancelled() async throws {
        let folder = try TemporaryFolder()
        let paths = (folder.path("ipk.xml"), folder.path("isk.xml"))
        let task = Task {
            await Invocation.run(
                "idemix",
                "keygen",
                "--bits",
                "4096",
                "--public-key",
                paths.0,
                "--private-key",
                paths.1
            )
        }
        task.cancel()
        let invocation = await task.value
        #expect(invocation.status == 2)
        #expect(invocation.errors.hasSuffix("error: cancelled; nothing was written"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func inspectsKeysWithoutTheirSecrets() async throws {
        let folder = try TemporaryFolder()
        #expect(await keygen(in: folder).status == 0)
        let publicKey = await Invocation.run("idemix", "inspect", folder.path("ipk.xml"))
        #expect(publicKey.status == 0, "\(publicKey.errors)")
        #expect(publicKey.output.hasPrefix("kind: Idemix issuer public key\n"))
        #expect(publicKey.output.contains("modulus: 1024 bits"))
        let privateKey = await Invocation.run("idemix", "inspect", folder.path("isk.xml"))
        #expect(privateKey.status == 0, "\(privateKey.errors)")
        #expect(privateKey.output.hasPrefix("kind: Idemix issuer private key\n"))
        #expect(privateKey.output.contains("safe primes: yes"))
        let text = String(decoding: try bytes(folder.path("isk.xml")), as: UTF8.self)
        for secret in text.split(whereSeparator: { "<>".contains($0) }) where secret.count > 40 {
            guard !secret.contains("xml") else { continue }
            #expect(!privateKey.output.contains(secret.prefix(20)))
        }
        // Both name the same modulus.
        let fingerprints = [publicKey, privateKey].map { invocation in
            invocation.output.split(separator: "\n").first { $0.contains("SHA-256 of the modulus") }
        }
        #expect(fingerprints[0] != nil && fingerprints[0] == fingerprints[1])
    }

    /// The general command recognizes what is no JSON-LD and no JOSE, and shows no secret key.
    @Test(arguments: [
        (
            #"{"@context":"https://irma.app/ld/signature/v2","signature":[{"c":"AQ==","A":"Ag==","e_response":"Aw==","v_response":"BA=="}],"nonce":"Aw==","message":"hello","timestamp":null}"#,
            "IRMA attribute-based signature", "message: hello"
        ),
        (
            #"{"proofs":[{"c":"AQ==","A":"Ag==","e_response":"Aw==","v_response":"BA=="}],"indices":[]}"#,
            "IRMA disclosure", "A: 2 bits"
        ),
        (
            #"{"signature":{"A":"Aw==","e":"BA==","v":"q80="},"attributes":["3q2+7w==","AwAKhwAaAAXZZxdMn4TvQ6F/mVxWb6a7","AA=="]}"#,
            "Idemix credential", "secret key: not shown"
        ),
    ])
    func theGeneralCommandInspectsMessagesToo(json: String, kind: String, line: String) async throws {
        let folder = try TemporaryFolder()
        let invocation = await Invocation.run("inspect", try folder.write(json, to: "input.json"))
        #expect(invocation.status == 0, "\(invocation.errors)")
        #expect(invocation.output.contains("kind: \(kind)"))
        #expect(invocation.output.contains(line))
        #expect(!invocation.output.contains("3q2+7w"))
    }

    /// Numbers that are no secrets of anybody; the proofs are not verified.
    @Test(arguments: [
        (
            #"{"c":"AQ==","A":"Ag==","e_response":"Aw==","v_response":"BA==","a_responses":{"0":"BQ==","3":"Bg=="},"#
                + #""a_disclosed":{"1":"AwAKhwAaAAXZZxdMn4TvQ6F/mVxWb6a7","2":"5MrO6tjC5Q=="}}"#,
            "Idemix disclosure proof (ProofD)", ["2: \"regular\"", "hidden: 0, 3", "signed: 2021-08-26T00:00:00Z"]
        ),
        (
            #"{"c":"AQ==","U":"Ag==","v_prime_response":"Aw==","s_response":"BA==","m_user_responses":{"2":"BQ=="}}"#,
            "Idemix commitment proof (ProofU)", ["random-blind: 2"]
        ),
        (
            #"{"proof":{"c":"AQ==","e_response":"Ag=="},"signature":{"A":"Aw==","e":"BA==","v":"q80=","KeyshareP":null}}"#,
            "Idemix issuer's signature", ["v: 16 bits", "keyshare: no"]
        ),
        (
            #"{"signature":{"A":"Aw==","e":"BA==","v":"q80="},"attributes":["3q2+7w==","AwAKhwAaAAXZZxdMn4TvQ6F/mVxWb6a7","AA=="]}"#,
            "Idemix credential", ["secret key: not shown", "2: absent"]
        ),
        (
            #"{"@context":"https://irma.app/ld/signature/v2","signature":[{"c":"AQ==","A":"Ag==","e_response":"Aw==","v_response":"BA=="}],"nonce":"Aw==","message":"hello","timestamp":null}"#,
            "IRMA attribute-based signature", ["message: hello", "timestamp: none"]
        ),
        (
            #"[{"c":"AQ==","A":"Ag==","e_response":"Aw==","v_response":"BA=="}]"#, "list of 1",
            ["kind: Idemix disclosure proof (ProofD)"]
        ),
        (
            #"{"combinedProofs":[{"c":"AQ==","U":"Ag==","v_prime_response":"Aw==","s_response":"BA=="}],"n_2":"Aw=="}"#,
            "IRMA issuance commitments",
            ["kind: Idemix commitment proof (ProofU)"]
        ),
        (
            #"{"proofs":[{"c":"AQ==","A":"Ag==","e_response":"Aw==","v_response":"BA=="}],"indices":[]}"#,
            "IRMA disclosure", ["A: 2 bits"]
        ),
    ])
    func inspectsMessages(json: String, kind: String, lines: [String]) async throws {
        let folder = try TemporaryFolder()
        let invocation = await Invocation.run("idemix", "inspect", try folder.write(json, to: "input.json"))
        #expect(invocation.status == 0, "\(invocation.errors)")
        #expect(invocation.output.hasPrefix("kind: \(kind)\n"))
        for line in lines { #expect(invocation.output.contains(line), "\(invocation.output)") }
        // The secret key in the credential, in any base.
        for secret in ["deadbeef", "3q2+7w", "3735928559"] { #expect(!invocation.output.contains(secret)) }
        let forMachines = await Invocation.run("idemix", "inspect", "--json", folder.path("input.json"))
        #expect(forMachines.output.hasPrefix(#"{"kind":"\#(kind)""#))
    }

    @Test(arguments: [
        "{}", "[]", "7", "not JSON", "<a/>", "<IssuerPublicKey></IssuerPublicKey>", #"{"c":"AQ==","A":"***"}"#,
        #"{"c":"AQ==","A":"Ag==","a_disclosed":{"x":"AQ=="}}"#, #"{"proofs":[7]}"#,
        #"{"u":"AQ==","e":"AQ==","sacc":{}}"#, #"{"c":"AQ==","A":"Ag=="}"#,
        #"{"combinedProofs":[{"c":"AQ==","U":"Ag=="}],"n_2":"Aw=="}"#, #"{"proofs":[null]}"#,
    ])
    func exitsWith2ForOtherInput(input: String) async throws {
        let folder = try TemporaryFolder()
        let invocation = await Invocation.run("idemix", "inspect", try folder.write(input, to: "input"))
        #expect(invocation.status == 2)
        #expect(invocation.output.isEmpty)
        #expect(invocation.errors.hasPrefix("error: "))
    }

    /// Recognizes every proof and key in the recorded sessions of other implementations.
    @Test(
        .enabled(if: VectorSet("irma").isAvailable, VectorSet.absence),
        arguments: VectorSet("irma").files(withExtension: "xml")
    )
    func inspectsRecordedKeys(file: VectorFile) async throws {
        let text = String(decoding: try file.bytes(), as: UTF8.self)
        guard text.contains("<IssuerPublicKey xmlns") || text.contains("<IssuerPrivateKey xmlns") else {
            file.report(ran: 0, passedOver: [(file.path, "describes a scheme, an issuer or a credential type")])
            return
        }
        let invocation = await Invocation.run("idemix", "inspect", file.url.path)
        #expect(invocation.status == 0, "\(invocation.errors)")
        #expect(invocation.output.hasPrefix("kind: Idemix issuer "))
        file.report(ran: 1)
    }

    @Test(
        .enabled(if: VectorSet("irma").isAvailable, VectorSet.absence),
        arguments: VectorSet("irma").files(withExtension: "json")
    )
    func inspectsRecordedMessages(file: VectorFile) throws {
        let json = try JSONValue(parsing: file.bytes())
        let sessions = json["irmaSessions"]?.arrayValue ?? []
        var messages = sessions.flatMap { session in
            (session["proofs"]?.arrayValue ?? []).compactMap { $0["proof"] }
                + (session["issueSignatures"]?.arrayValue ?? []).compactMap { $0["message"] }
        }
        messages += ["disclosure", "signedMessage", "issueCommitments"].compactMap { json[$0] }
        for message in messages {
            let inspection = try IdemixInspection.inspection(of: message.encoded())
            #expect(inspection.kind.hasPrefix("I"), "\(inspection.kind)")
            #expect(!inspection.content.isEmpty)
        }
        let reason = "holds no proof and no signature"
        file.report(ran: messages.count, passedOver: messages.isEmpty ? [(file.path, reason)] : [])
    }
}
