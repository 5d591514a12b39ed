import CryptoCore
import DIDKit
import JSONKit
import LinkedDataKit

struct Wallet {
    func sign(_ bytes: [UInt8]) async throws -> [UInt8] { [] }
}

let wallet = Wallet()
let signer: any Signer = given()
let publicKey: PublicKey = given()
let did: DID = given()
let issuer: DID = given()
let keyName: DIDURL = given()
let content: W3CCredentialContent = given()
let options: LinkedDataProofOptions = given()
let prover = LinkedDataProver()
let digest: [UInt8] = []
let trust: W3CCredentialTrust = given()
let resolver: any DIDResolver = given()

// in LinkedDataKit.md
let credential: JSONValue = given()
// in LinkedDataProver.swift
let credential: JSONObject = given()
// in SigningACredential.md
let signed: SecuredDocument = given()
let credential: VerifiedW3CCredential = given()
// in W3CCredentialPath.swift
let credential: VerifiedW3CCredential = given()
// in SecuredDocument.swift
let verifier: LinkedDataVerifier = given()
// in LinkedDataVerifier.swift
let document: SecuredDocument = given()
// in W3CCredentialVerifier.swift
let nonce: ExactText = ""
// in DisclosingAPartOfACredential.md
let issued: SecuredDocument = given()
let verifier: W3CCredentialVerifier = given()
// in LinkedDataProver+Derivation.swift
let received: SecuredDocument = given()
