import ArgumentParser
import CommandSupport
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit

/// `credential ld sign`: adds a linked-data proof to a document.
struct LinkedDataSignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Adds a linked-data proof to a document; prints the signed document.",
        discussion: "A term that the signature would not cover is an error that names the term and its path."
    )

    @Argument(help: "The document, or - for standard input.")
    var file = InputFile(argument: "-")

    @Option(name: .long, help: "The private key: PEM or JWK.")
    var key: InputFile

    @Option(name: .long, help: "The name of the key, a DID URL; that of its did:key without it, or did:jwk for RSA.")
    var method: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The suite: a cryptosuite of Data Integrity, or the type of an older proof.",
            valueName: "name"
        )
    )
    var suite = ProofSuiteArgument(.eddsaRDFC2022)

    @Option(name: .long, help: "The purpose: assertionMethod for issuers, authentication for holders.")
    var purpose = VerificationRelationship.assertionMethod.rawValue

    @Option(name: .long, parsing: .unconditional, help: "The verifier's challenge.")
    var challenge: String?

    @Option(name: .long, help: "The name of the verifier or domain; may be repeated.")
    var domain: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A place that the holder must always disclose, for ecdsa-sd-2023; may be repeated. The issuer, dates, status and terms of use are such places anyway.",
            valueName: "pointer"
        )
    )
    var mandatory: [JSONPointerArgument] = []

    @Flag(
        name: .long,
        help: "Sign a credential whose JSON has another form than the usual one, which verifiers take by name."
    )
    var tolerant = false

    @Option(name: .long, help: "The time of the proof, in RFC 3339. By default now.")
    var at: TimeArgument?

    @OptionGroup var options: LinkedDataOptions

    @OptionGroup var outputOptions: OutputOptions

    func validate() throws {
        guard mandatory.isEmpty || suite.suite == .ecdsaSD2023 else {
            throw ValidationError(
                "--mandatory goes with --suite ecdsa-sd-2023; \(suite.suite) signs the whole document."
            )
        }
    }

    func run() async throws {
        let document = try file.jsonObject()
        let privateKey = try key.reading("key") { try key.jwk().privateKey() }
        let name = try key.reading("key") { try method.map { try DIDURL($0) } ?? privateKey.publicKey.methodName() }
        let signer = try key.reading("key") { try suite.signer(privateKey) }
        var proof = LinkedDataProofOptions(
            verificationMethod: name,
            purpose: VerificationRelationship(rawValue: purpose),
            created: at?.date ?? Console.current.now(),
            challenge: challenge.map { ExactText($0) },
            domains: domain.map { ExactText($0) }
        )
        if suite.suite == .ecdsaSD2023 {
            let restrictions = JSONPointer.restrictions(of: document)
            proof.mandatoryPointers = restrictions + mandatory.map(\.pointer).filter { !restrictions.contains($0) }
        }
        let prover = LinkedDataProver(
            processor: try options.processor(),
            options: options.linkedData,
            tolerances: tolerant ? [.otherForms, .sharedNodes] : []
        )
        let unsigned = try file.processing(.object(document)) { () throws(LinkedDataError) in
            try prover.prepare(
                document,
                suite: suite.suite,
                options: proof,
                for: signer.publicKey,
                algorithm: JWSAlgorithm(signer.algorithm, for: signer.publicKey)
            )
        }
        let signature = try key.reading("key") { try signer.signature(for: unsigned.bytesToSign) }
        let signed = try unsigned.completed(with: signature)
        let format: JSONFormat = outputOptions.json ? .compact : .pretty
        Console.current.output(JSONValue.object(signed.unverifiedMembers).text(format.escapingInvisible))
    }
}

/// A proof suite on the command line, by its cryptosuite or type.
struct ProofSuiteArgument: ExpressibleByArgument, Sendable {
    let suite: LinkedDataProofSuite

    init(_ suite: LinkedDataProofSuite) {
        self.suite = suite
    }

    init?(argument: String) {
        guard let suite = LinkedDataProofSuite.implemented.first(where: { $0.description == argument }) else {
            return nil
        }
        self.suite = suite
    }

    static let allValueStrings = LinkedDataProofSuite.implemented.map(\.description).sorted()

    var defaultValueDescription: String { suite.description }

    /// The key with the algorithm that the suite has for it.
    func signer(_ key: PrivateKey) throws -> SoftwareSigner {
        let isRSA2018 = suite == .rsaSignature2018
        return try SoftwareSigner(key, algorithm: isRSA2018 ? .rsaPKCS1SHA256 : nil)
    }
}

extension PublicKey {
    /// The name of the key in the DID that is the key itself.
    fileprivate func methodName() throws -> DIDURL {
        guard type != .rsa else { return try DIDURL(DID.jwk(self).text + "#0") }
        let did = try DID.key(self)
        return try DIDURL(did.text + "#" + did.identifier)
    }
}
