import CryptoCore
import Foundation
import JOSEKit
import StatusListKit

let issuerKey: PublicKey = given()
let policy: StatusListPolicy = given()
let reference: StatusReference = given()
let signer: any Signer = given()
let uri = ""
let tomorrow = Date()
let revoked: Set<[UInt8]> = []
let listSigner: Certificate = given()
let list: StatusList = given()

func accept() {}
func refuse(because obstacle: String = "") {}
func ask(about status: UInt64) {}

// in StatusListKit.md
let claims: JWTClaims = given()
// in StatusReference.swift
let claims: JWTClaims = given()
// in BitstringListSnapshot.swift
let credential: [UInt8] = []
let verifier: any BitstringListVerifier = given()
