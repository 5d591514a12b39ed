import CryptoCore
import Foundation

let message: [UInt8] = []
let info: [UInt8] = []
let salt: [UInt8] = []
let header: [UInt8] = []
let x: [UInt8] = []
let y: [UInt8] = []
let der: [UInt8] = []
let signature: [UInt8] = []
let sealed: HPKE.SealedMessage = given()
let recipient: PrivateKey = given()
let privateKey: PrivateKey = given()
let publicKey: PublicKey = given()
let key: PublicKey = given()
let deviceKey: any KeyAgreement = given()
let authority: CertificateAuthority = given()
let validated: ValidatedCertificateChain = given()
let trustedRoots = ""
let validator: CertificatePathValidator = given()
let verified: VerifiedCertificateRevocationList = given()

// in Validating-a-certificate-chain.md
let chain: [ArraySlice<UInt8>] = []
