import CryptoCore
import JOSEKit

let issuer: ExactText = ""
let issuerKey: PublicKey = given()
let anchors: [Certificate] = []
let token: JWT = given()
let policy: JWSVerificationPolicy = given()
let claims: JWTClaimsPolicy = given()
let claimsPolicy: JWTClaimsPolicy = given()
let decryption: JWEDecryptionPolicy = given()
let key: PrivateKey = given()
let keys: [String: PublicKey] = [:]

// in JWS+Signatures.swift
let message: JWS = given()
// in JWSVerificationPolicy.swift
let message: JWS = given()
// in Verifying-a-token.md
let nonce: ExactText = ""
