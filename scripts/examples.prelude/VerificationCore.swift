import CryptoCore
import Foundation
import JOSEKit
import SDJWTKit
import StatusListKit
import VerificationCore

let key: PublicKey = given()
let token: JWT = given()
let policy: JWSVerificationPolicy = given()
let claims: JWTClaimsPolicy = given()
let list: VerifiedStatusList = given()
let verifier: SDJWTVerifier = given()
let credential: SDJWT = given()
let expectation: SDJWTExpectation = given()

func admit(_ credential: VerifiedSDJWT) {}
func log(_ refusal: Refusal) {}

struct Structure: Sendable {}
struct Verified: Sendable {
    init(_ structure: Structure) {}
}

func structure() throws(CheckFault) -> Structure { given() }
func signature(of structure: Structure) throws(CheckFault) {}
func validity() throws(CheckFault) {}
