import CBORKit
import CryptoCore
import Foundation
import IdemixCore

extension FuzzTarget {
    /// The verification of Idemix: lists of proofs, the keyshare server's part, issuance and revocation.
    package static let idemixVerification: [FuzzTarget] = [
        FuzzTarget(name: "idemix-proof-list") { input in
            let scene = IdemixListFuzzScene.shared
            var script = FuzzScript(input)
            let changes = IdemixNumberChanges(n: scene.keys.publicKey.elements.n)
            let genuine = IdemixListFuzzScene.challenge
            let challenge = IdemixChallenge(
                nonce: script.byte() == 255 ? genuine.nonce + 1 : genuine.nonce,
                kind: script.byte() == 255 ? .signature : .proof
            )
            var proofs = scene.list.proofs
            while !script.isAtEnd {
                let place = Int(script.byte() % 2)
                switch script.byte() % 8 {
                case 0: proofs.swapAt(0, proofs.count - 1)
                case 1: if proofs.count < 4, let proof = proofs.first { proofs.append(proof) }
                case 2: if !proofs.isEmpty { proofs.remove(at: min(place, proofs.count - 1)) }
                default:
                    guard proofs.indices.contains(place) else { continue }
                    proofs[place] = changes.changed(proofs[place], by: &script)
                }
                guard !proofs.isEmpty else { break }
            }
            let list = IdemixProofList(proofs)
            let verification = list.verify(
                expecting: scene.expectations,
                challenge: challenge,
                at: FuzzKeys.time
            )
            let isGenuine = list == scene.list && challenge == genuine
            require(
                (verification.verified != nil) == isGenuine,
                "a changed list verifies, or the unchanged one does not"
            )
            require(verification.checks.map(\.check) == IdemixProofList.checks, "a check is missing")
        },
        FuzzTarget(name: "idemix-keyshare") { input in
            let scene = IdemixListFuzzScene.shared
            var script = FuzzScript(input)
            let publicKey = scene.keys.publicKey
            let changes = IdemixNumberChanges(n: publicKey.elements.n)
            try inputs(&script, changes)
            let genuine = scene.keyshareResponse
            let response = KeyshareResponse(
                P: script.byte() == 255 ? nil : genuine.P.map { changes.changed($0, by: &script) },
                challenge: changes.changed(genuine.challenge, by: &script),
                secretKeyResponse: changes.changed(genuine.secretKeyResponse, by: &script)
            )
            let positions = script.byte() == 255 ? [0: publicKey, 7: publicKey] : [0: publicKey, 1: publicKey]
            let merged = try scene.ownList.merging(response, at: positions, multiplyingShare: true)
            let verification = merged.verify(
                expecting: scene.expectations,
                challenge: IdemixListFuzzScene.challenge,
                at: FuzzKeys.time
            )
            require(
                (verification.verified != nil) == (merged == scene.list),
                "another share makes a list that verifies"
            )
        },
        FuzzTarget(name: "idemix-issued-signature") { input in
            let scene = IdemixListFuzzScene.shared
            var script = FuzzScript(input)
            let changes = IdemixNumberChanges(n: scene.keys.publicKey.elements.n)
            let genuine = scene.issued
            let signature = CLSignature(
                A: changes.changed(genuine.signature.A, by: &script),
                e: changes.changed(genuine.signature.e, by: &script),
                v: changes.changed(genuine.signature.v, by: &script)
            )
            let proof = IssuerSignatureProof(
                challenge: changes.changed(genuine.proof.challenge, by: &script),
                eResponse: changes.changed(genuine.proof.eResponse, by: &script)
            )
            let witness = genuine.witness.map { witness in
                ReceivedWitness(
                    u: changes.changed(witness.u, by: &script),
                    e: changes.changed(witness.e, by: &script),
                    signedAccumulator: witness.signedAccumulator
                )
            }
            let index = script.byte() == 255 ? script.number(below: 9) : 3
            var attributes = scene.attributes
            if script.byte() == 255 { attributes[1] = changes.changed(attributes[1], by: &script) }
            let issued = IssuedCLSignature(signature: signature, proof: proof, witness: witness)
            let credential = try scene.pending.finish(
                with: issued,
                attributes: attributes,
                revocationIndex: index,
                nonce: 2
            )
            require(
                signature == genuine.signature && proof == genuine.proof && witness == genuine.witness
                    && attributes == scene.attributes && credential.attributes == scene.attributes,
                "a credential is made of what the issuer did not sign"
            )
        },
        FuzzTarget(name: "idemix-stored-credential") { input in
            let scene = IdemixFuzzScene.shared
            var script = FuzzScript(input)
            let changed = try CBOR(decoding: scene.storedCredential).edited(by: &script).encoded()
            func read(_ bytes: [UInt8]) throws -> IdemixCredential {
                try IdemixCredential(decodingVouchedFor: bytes, publicKey: scene.publicKey, secretKey: scene.secretKey)
            }
            let vouched = try read(changed)
            let again = try read(vouched.encoded().withUnsafeBytes { [UInt8]($0) })
            require(
                again.signature == vouched.signature && again.attributes == vouched.attributes,
                "a credential changes when it is written and read"
            )
            let verified = try IdemixCredential(
                decoding: changed,
                publicKey: scene.publicKey,
                secretKey: scene.secretKey
            )
            require(verified.attributes == scene.attributes, "a credential is read that the issuer did not sign")
        },
        FuzzTarget(name: "idemix-witness-update") { input in
            let scene = IdemixListFuzzScene.shared
            var script = FuzzScript(input)
            let genuine = scene.authority.accumulator
            let changes = IdemixNumberChanges(n: scene.keys.publicKey.elements.n)
            let hash = script.byte() == 255 ? try RevocationEventHash(bytes: script.bytes()) : genuine.eventHash
            let accumulator = RevocationAccumulator(
                value: changes.changed(genuine.value, by: &script),
                index: script.byte() == 255 ? script.integer() : genuine.index,
                time: script.byte() == 255 ? Int64(truncatingIfNeeded: script.integer()) : genuine.time,
                eventHash: hash
            )
            let unsigned = try UnsignedAccumulator(accumulator, publicKey: scene.keys.publicKey)
            let signature = try scene.keys.privateKey.revocationSigner().signature(for: unsigned.bytesToSign)
            let signed = try unsigned.completed(with: signature)
            let update = try scene.authority.update(lastEvents: Int(script.byte() % 5))
            let tree = try CBOR(decoding: update.cborEncoded())
            var events = tree[at: "e"] ?? .null
            if script.byte().isMultiple(of: 2) { events = events.edited(by: &script) }
            let list = try events == .null ? nil : RevocationEventList(cbor: CBORDocument(events.encoded()).root)
            let verified = try RevocationUpdate(signedAccumulator: signed, events: list)
                .verified(by: scene.keys.publicKey)
            require(verified.accumulator == accumulator, "an update has another accumulator than was signed")
            let witness = try scene.witness.updated(with: verified, publicKey: scene.keys.publicKey)
            require(
                witness == scene.witness || witness.accumulator == accumulator,
                "a witness is updated to what nobody signed"
            )
            require(try witness.message.verified(by: scene.keys.publicKey) == witness, "an updated witness reads back")
        },
    ]

    /// A keyshare server that commits to inputs answers only for those.
    private static func inputs(_ script: inout FuzzScript, _ changes: IdemixNumberChanges) throws {
        let scene = IdemixListFuzzScene.shared
        let builder = IdemixProofListBuilder()
        _ = try builder.addIssuance(publicKey: scene.keys.publicKey, secretKey: .random())
        let contributions = try builder.contributions[0]
        let committed = [KeyshareChallengeInput(key: scene.identifier, contributions: contributions)]
        let commitment = try scene.keyshareSecret.commit(
            to: [(scene.identifier, scene.keys.publicKey)],
            inputHash: KeyshareChallengeInput.hash(committed)
        )
        let counter = script.byte() == 255 ? UInt(script.byte()) : 1
        let shown = [
            KeyshareChallengeInput(
                key: script.byte() == 255 ? nil : KeyshareKeyIdentifier(issuer: "fuzz.issuer", counter: counter),
                contributions: contributions
            )
        ]
        let request = KeyshareCommitment.ChallengeRequest(
            challenge: IdemixChallenge(nonce: 1),
            userResponse: changes.changed(BigInteger(5), by: &script),
            inputs: shown
        )
        let answer = try? commitment.response(to: request)
        require(answer == nil || shown == committed, "a keyshare server answers for what was not committed to")
        require((try? commitment.response(to: request)) == nil || answer == nil, "a commitment answers twice")
    }
}

/// Changes of numbers that a script describes.
struct IdemixNumberChanges {
    let n: BigInteger

    /// The number, unchanged in seven of eight cases.
    func changed(_ number: BigInteger, by script: inout FuzzScript) -> BigInteger {
        guard script.byte() >= 224 else { return number }
        let operand = BigInteger(bytes: script.bytes())
        switch script.byte() % 6 {
        case 0: return operand
        case 1: return number + operand
        case 2: return number - operand
        case 3: return -number
        case 4: return number + operand * n
        default: return n - number
        }
    }

    /// A proof with one or several changed numbers.
    func changed(_ proof: IdemixProof, by script: inout FuzzScript) -> IdemixProof {
        switch proof {
        case .disclosure(let proof):
            var numbers = IdemixProofNumbers(proof)
            numbers.change(
                Int(script.byte()),
                how: Int(script.byte()),
                operand: BigInteger(bytes: script.bytes()),
                n: n
            )
            return .disclosure(numbers.proof)
        case .issuance(let proof):
            return .issuance(
                IssuanceCommitmentProof(
                    challenge: changed(proof.challenge, by: &script),
                    U: changed(proof.U, by: &script),
                    vPrimeResponse: changed(proof.vPrimeResponse, by: &script),
                    secretKeyResponse: changed(proof.secretKeyResponse, by: &script),
                    attributeResponses: proof.attributeResponses
                )
            )
        }
    }
}
