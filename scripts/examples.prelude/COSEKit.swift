import COSEKit
import CryptoCore
import JOSEKit

let issuerKey: PublicKey = given()
let policy: CWTClaimsPolicy = given()
let keys: [ArraySlice<UInt8>?: PublicKey] = [:]

// in COSEPolicy.swift
let message: COSESign1 = given()
// in COSESign+Verifying.swift
let message: COSESign = given()
