import Foundation
import IdemixCore
import IdemixKeyProofs

let keys: IdemixIssuerKeyPair = given()
let secretKey: IdemixHolderSecretKey = given()
let challenge: IdemixChallenge = given()
let question: IdemixChallenge = given()
let holderNonce: BigInteger = given()
let commitments: IdemixProofList = given()
let proofs: IdemixProofList = given()
let pending: PendingIdemixCredential = given()
let issued: IssuedCLSignature = given()
let attributes: [BigInteger] = []
let credential: IdemixCredential = given()
let file: FileHandle = given()
