import CryptoCore
import JOSEKit
import SDJWTKit
import SDJWTWallet
import VerificationCore

let root: Certificate = given()
let clientID = ""
let issuer: any Signer = given()
let holder: any Signer = given()
let holderKey: JWK = given()
let credential: SDJWT = given()
let verifier: SDJWTVerifier = given()
let expectation: KeyBindingExpectation = given()
let keys: [ExactText: JWKSet] = given()
// in SDJWTCopyFormat.swift
let keyFromKeychain: SecretBytes = given()
let path = ""
let copies: [NewSDJWTCopy] = []
let chosen: [String] = []
