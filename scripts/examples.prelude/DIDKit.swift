import CryptoCore
import DIDKit

let did: DID = given()
let body: [UInt8] = []
let holderKey: PrivateKey = given()
