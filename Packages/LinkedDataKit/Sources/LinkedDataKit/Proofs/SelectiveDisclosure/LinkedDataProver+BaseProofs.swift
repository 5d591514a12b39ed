import CryptoCore
import JSONKit
import VerificationCore

extension LinkedDataProver {
    /// Prepares a base proof: the signatures of the statements are made, and the issuer's is missing (Data Integrity ECDSA
    /// Cryptosuites 1.0, section 3.6.1).
    func prepareBase(
        _ document: SecuredDocument,
        _ members: JSONObject,
        _ options: LinkedDataProofOptions,
        _ signing: ProofSigning,
        using random: some RandomSource
    ) throws(LinkedDataError) -> UnsignedLinkedDataProof {
        guard options.previousProofs.isEmpty else { throw .derivedChain }
        let content = document.unverifiedDocument
        let pointers = options.mandatoryPointers ?? JSONPointer.restrictions(of: content)
        try settings.disclosure.check(pointers: pointers.count)
        let inputs = try ProofInputs(content, settings)
        try requireForm(of: document, inputs)
        let labelKey = SecretBytes.random(count: BaseProofContent.labelKeySize, using: random)
        let statements = try LabeledStatements(content, key: labelKey, settings, settings.options.languageTags)
        let mandatory = try statements.selection(by: pointers)?.indexes ?? []
        let (covered, signed) = statements.divided(by: mandatory)
        try settings.disclosure.check(statements: signed.count)
        let (key, signatures) = try Self.signatures(of: signed, using: random)
        let input: LinkedDataProofInput
        do throws(LinkedDataError) {
            input = try inputs.input(options: members, mandatory: covered, signed: signed, key: key)
        } catch {
            throw error.inside("proof")
        }
        return try UnsignedLinkedDataProof(
            input: input,
            members: members,
            signing: signing,
            document: document,
            base: BaseProofContent(
                key: key,
                labelKey: labelKey,
                signatures: signatures,
                mandatoryPointers: pointers
            )
        )
    }

    /// Signs each statement with a key of this proof alone, which is wiped afterwards.
    private static func signatures(
        of statements: [[UInt8]],
        using random: some RandomSource
    ) throws(LinkedDataError) -> (key: StatementKey, signatures: [[UInt8]]) {
        do throws(CryptoError) {
            let key = try PrivateKey.generate(.p256, using: random)
            var signatures: [[UInt8]] = []
            for statement in statements {
                signatures.append(try key.signature(for: statement, algorithm: .ecdsaSHA256))
            }
            return (try StatementKey(generated: key.publicKey), signatures)
        } catch {
            throw LinkedDataError(.signingFailed, "the statements were not signed", cause: error)
        }
    }
}

extension LinkedDataError {
    /// A holder that leaves a statement out would change the proofs that such a proof covers.
    static let derivedChain = LinkedDataError(
        .invalidProof,
        "a proof with selective disclosure covers no other proof",
        path: ["previousProof"]
    )
}
